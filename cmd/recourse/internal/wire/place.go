package wire

// A place is a kind of object whose keys matter.
type place uint8

const (
	elsewhere place = iota
	top
	params
	result
	failure
	paramsMeta
	resultMeta
)

const (
	keyVersion      = "io.modelcontextprotocol/protocolVersion"
	keySubscription = "io.modelcontextprotocol/subscriptionId"
)

// field returns where the span of key's value belongs, nil if nobody asks for it.
func (m *Message) field(at place, key []byte) *Span {
	switch at {
	case top:
		return m.topField(key)
	case params:
		return m.paramsField(key)
	case result:
		return m.resultField(key)
	case failure:
		return m.errorField(key)
	}
	return m.metaField(at, key)
}

func (m *Message) topField(key []byte) *Span {
	switch string(key) {
	case "jsonrpc":
		return &m.JSONRPC
	case "id":
		return &m.ID
	case "method":
		return &m.Method
	case "params":
		return &m.Params
	case "result":
		return &m.Result
	case "error":
		return &m.Error
	}
	return nil
}

func (m *Message) paramsField(key []byte) *Span {
	switch string(key) {
	case "name":
		return &m.Name
	case "arguments":
		return &m.Arguments
	case "requestId":
		return &m.RequestID
	case "progressToken":
		return &m.Token
	case "task":
		return &m.Task
	case "_meta":
		m.MetaToken, m.Version, m.Subscription = Span{}, Span{}, Span{}
		return &m.Meta
	}
	return nil
}

func (m *Message) resultField(key []byte) *Span {
	switch string(key) {
	case "content":
		return &m.Content
	case "isError":
		return &m.IsError
	case "resultType":
		return &m.ResultType
	case "structuredContent":
		return &m.Structured
	case "_meta":
		m.Subscription = Span{}
		return &m.Meta
	}
	return nil
}

func (m *Message) errorField(key []byte) *Span {
	switch string(key) {
	case "code":
		return &m.Code
	case "message":
		return &m.Text
	case "data":
		return &m.Data
	}
	return nil
}

func (m *Message) metaField(at place, key []byte) *Span {
	switch string(key) {
	case "progressToken":
		if at == paramsMeta {
			return &m.MetaToken
		}
	case keyVersion:
		if at == paramsMeta {
			return &m.Version
		}
	case keySubscription:
		return &m.Subscription
	}
	return nil
}
