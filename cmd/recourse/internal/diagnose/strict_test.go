package diagnose

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"unicode"
)

// read reads an object that may have numbers of any size.
func read(object []byte) (m map[string]any, err error) {
	dec := json.NewDecoder(bytes.NewReader(object))
	dec.UseNumber()
	err = dec.Decode(&m)
	return m, err
}

// strict says why a client would refuse a result, or a model's API the
// conversation with it. It asks for what the TypeScript SDK's schemas ask for
// (CallToolResultSchema), and that each text has something to see in it.
func strict(result []byte) error {
	r, err := read(result)
	if err != nil || r == nil {
		return fmt.Errorf("no object: %v", err)
	}
	content, ok := r["content"].([]any)
	if !ok || len(content) == 0 {
		return errors.New("no content")
	}
	if !optional[bool](r, "isError") || !optional[map[string]any](r, "_meta") {
		return errors.New("isError or _meta")
	}
	_, modern := r["resultType"]
	if data, there := r["structuredContent"]; there && data == nil && !modern {
		return errors.New("structuredContent is null")
	}
	for i, b := range content {
		block, ok := b.(map[string]any)
		if !ok {
			return fmt.Errorf("block %d is no object", i)
		}
		if err := strictBlock(block); err != nil {
			return fmt.Errorf("block %d: %w", i, err)
		}
	}
	return nil
}

func strictBlock(b map[string]any) error {
	notes, noted := b["annotations"]
	if noted && !strictAnnotations(notes) || !optional[map[string]any](b, "_meta") {
		return errors.New("annotations or _meta")
	}
	mime, _ := b["mimeType"].(string)
	switch b["type"] {
	case "text":
		if text, ok := b["text"].(string); !ok || !inked(text) {
			return fmt.Errorf("no text: %q", text)
		}
	case "image", "audio":
		if !decodes(b["data"]) || mime == "" || b["type"] == "image" && (!strings.HasPrefix(mime, "image/") || mime == "image/") {
			return fmt.Errorf("data %.20q, media type %q", b["data"], mime)
		}
		data, _ := base64.StdEncoding.DecodeString(b["data"].(string))
		seen := http.DetectContentType(data)
		if b["type"] == "image" && seen != mime && slices.Contains([]string{"image/png", "image/jpeg", "image/gif", "image/webp"}, seen) {
			return fmt.Errorf("media type %q of %q", mime, seen)
		}
	case "resource":
		return strictResource(b["resource"])
	case "resource_link":
		if !isString(b["uri"]) || b["name"] == nil || !optional[string](b, "name") {
			return errors.New("link without uri or name")
		}
		if !optional[string](b, "title") || !optional[string](b, "description") || !optional[string](b, "mimeType") ||
			!optional[[]any](b, "icons") || !optional[json.Number](b, "size") {
			return errors.New("link with a wrong member")
		}
	default:
		return fmt.Errorf("type %v", b["type"])
	}
	return nil
}

func strictResource(v any) error {
	in, ok := v.(map[string]any)
	if !ok || !isString(in["uri"]) || in["text"] == nil && !decodes(in["blob"]) || !optional[string](in, "text") {
		return errors.New("resource without uri or contents")
	}
	if !optional[string](in, "mimeType") || !optional[map[string]any](in, "_meta") {
		return errors.New("resource with a wrong member")
	}
	return nil
}

// optional reports whether a member is missing or of the type.
func optional[T any](of map[string]any, name string) bool {
	v, there := of[name]
	_, ok := v.(T)
	return ok || !there
}

func isString(v any) bool {
	s, ok := v.(string)
	return ok && s != ""
}

func decodes(v any) bool {
	s, ok := v.(string)
	_, err := base64.StdEncoding.DecodeString(s)
	return ok && s != "" && err == nil && !strings.ContainsAny(s, "\r\n")
}

// inked reports whether a font would draw anything.
func inked(s string) bool {
	const fillers = "\u2800\u3164\u115f\u1160\uffa0\u034f\u17b4\u17b5"
	return strings.ContainsFunc(s, func(r rune) bool {
		return !unicode.IsSpace(r) && !unicode.IsControl(r) && !strings.ContainsRune(fillers, r) &&
			!unicode.In(r, unicode.Cf, unicode.Variation_Selector) || unicode.Is(unicode.Prepended_Concatenation_Mark, r)
	})
}
