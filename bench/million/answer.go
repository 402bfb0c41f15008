package main

import "fmt"

// answer appends the line that answers the call.
func (k *call) answer(b []byte, c *corpus) []byte {
	switch k.wrap {
	case 0:
		b = append(k.result(append(b, `{"result":`...), c), `,"jsonrpc":"2.0","id":`...)
		return append(append(b, k.id...), "}\n"...)
	case 1:
		b = fmt.Appendf(b, `{"jsonrpc":"2.0","id":%s,"result":`, k.id)
		return append(k.result(b, c), "}\n"...)
	case 2:
		b = fmt.Appendf(b, `{ "jsonrpc" : "2.0" , "id" : %s , "result" : `, k.id)
		return append(k.result(b, c), " }\n"...)
	case 3:
		b = k.result(append(b, `{"jsonrpc":"2.0","result":`...), c)
		return fmt.Appendf(b, `,"id":%s,"x-extra":["id",{"a":1.0}]}`+"\n", k.id)
	}
	b = fmt.Appendf(b, `{"jsonrpc":"2.0","\u0069d":%s,"result":`, k.id)
	return append(k.result(b, c), "}\n"...)
}

// result appends a good result: complete, not an error, not blank.
func (k *call) result(b []byte, c *corpus) []byte {
	quoted := func(b []byte) []byte {
		b = append(append(append(b, `"=`...), c.cut(k.text)...), c.cut(k.tail)...)
		return append(b, '"')
	}
	switch k.shape {
	case 0:
		return append(quoted(append(b, `{"content":[{"type":"text","text":`...)), `}]}`...)
	case 1:
		b = quoted(append(b, `{"isError":false,"content":[{"text":`...))
		return append(b, `,"type":"text"},{"type":"text","text":"second"}]}`...)
	case 2:
		b = fmt.Appendf(b, `{"_meta":{"bench/n":12345678901234567890%d,"id":1},"structuredContent":{"id":1.50,"big":9007199254740993,"e":1E+2,"deep":{"id":"x","result":null,"error":{}}},`, k.n)
		return append(quoted(append(b, `"content":[{"type":"text","text":`...)), `}]}`...)
	case 3:
		b = quoted(append(b, `{ "content" : [ { "type" : "text" , "text" : `...))
		return append(b, ` , "annotations" : { "priority" : 0.10 } } ] , "unknown" : [ { } ] }`...)
	}
	b = quoted(append(b, `{"content":[{"type":"image","data":"iVBORw0KGgo=","mimeType":"image/png"},{"type":"text","text":`...))
	return append(b, `}],"id":null}`...)
}

// notice appends the i-th notification of the call, the last of which is a log
// message and all others progress.
func (k *call) notice(b []byte, i int) []byte {
	if i == k.notices-1 {
		return fmt.Appendf(b, `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","logger":"bench","data":{"n":%d,"id":1,"text":"é\ud83d\ude00"}}}`+"\n", k.n)
	}
	return fmt.Appendf(b, `{"method":"notifications/progress","params":{"progressToken":%s,"progress":%d.50,"total":9.0,"message":"n %d é"},"jsonrpc":"2.0"}`+"\n", k.token(), i, k.n)
}

// question is what follows the id in the server's request to the client.
func (k *call) question() string {
	return fmt.Sprintf(`,"method":"sampling/createMessage","params":{"maxTokens":1,"messages":[],"metadata":{"id":"decoy","n":%d}}}`, k.n)
}

// reply is what follows the id in the client's answer to that.
func (k *call) reply() string {
	return fmt.Sprintf(`,"result":{"role":"assistant","model":"bench","content":{"type":"text","text":"for %d é\u00e9"},"big":9007199254740993}}`, k.n)
}

const idFirst = `{"jsonrpc":"2.0","id":`
