//go:build unix

package main

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
)

// https://platform.openai.com/docs/api-reference/chat
var chat = dialect{
	tools: func(body object) map[string]schema {
		tools := map[string]schema{}
		for _, t := range members(body, "tools") {
			if f := at(t, "function"); f != nil {
				tools[text(f["name"])] = at(f, "parameters")
			}
		}
		return tools
	},
	results: func(body object) (all []string) {
		for _, m := range members(body, "messages") {
			if m["role"] == "tool" {
				all = append(all, text(m["content"]))
			}
		}
		return all
	},
	answer: func(w http.ResponseWriter, stream bool, c *call) {
		message, reason := object{"role": "assistant", "content": done}, "stop"
		if c != nil {
			call := object{"index": 0, "id": c.id, "type": "function", "function": object{"name": c.tool, "arguments": c.args}}
			message, reason = object{"role": "assistant", "content": nil, "tool_calls": list{call}}, "tool_calls"
		}
		usage := object{"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
		if !stream {
			reply(w, object{"id": "c1", "object": "chat.completion", "created": 1, "model": "e2e", "usage": usage,
				"choices": list{object{"index": 0, "message": message, "finish_reason": reason}}})
			return
		}
		chunk := func(choices ...any) object {
			return object{"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "e2e", "choices": choices}
		}
		last := chunk()
		last["choices"], last["usage"] = list{}, usage
		events(w,
			chunk(object{"index": 0, "delta": message, "finish_reason": nil}),
			chunk(object{"index": 0, "delta": object{}, "finish_reason": reason}),
			last)
		io.WriteString(w, "data: [DONE]\n\n")
	},
}

// https://platform.openai.com/docs/api-reference/responses
var responses = dialect{
	tools: func(body object) map[string]schema {
		tools := map[string]schema{}
		for _, t := range members(body, "tools") {
			switch t["type"] {
			case "function":
				tools[text(t["name"])] = at(t, "parameters")
			case "custom": // one text, in a grammar of its own
				tools[text(t["name"])] = schema{"custom": true}
			case "namespace":
				for _, inner := range members(t, "tools") {
					tools[text(t["name"])+"."+text(inner["name"])] = at(inner, "parameters")
				}
			}
		}
		return tools
	},
	results: func(body object) (all []string) {
		for _, i := range members(body, "input") {
			if kind, _ := i["type"].(string); strings.HasSuffix(kind, "call_output") {
				all = append(all, text(i["output"]))
			}
		}
		return all
	},
	answer: func(w http.ResponseWriter, stream bool, c *call) {
		item := object{"type": "message", "id": "m_1", "role": "assistant", "status": "completed",
			"content": list{object{"type": "output_text", "text": done, "annotations": list{}}}}
		if c != nil {
			item = object{"type": "function_call", "id": "fc_1", "call_id": c.id, "name": c.tool, "arguments": c.args, "status": "completed"}
			var given object
			json.Unmarshal([]byte(c.args), &given)
			if custom, ok := given[customInput]; ok {
				item = object{"type": "custom_tool_call", "id": "fc_1", "call_id": c.id, "name": c.tool, "input": custom, "status": "completed"}
			}
			if space, inner, ok := strings.Cut(c.tool, "."); ok {
				item["namespace"], item["name"] = space, inner
			}
		}
		response := func(status string, output ...any) object {
			if output == nil {
				output = list{}
			}
			return object{"id": "resp_1", "object": "response", "created_at": 1, "model": "e2e", "status": status, "output": output,
				"usage": object{"input_tokens": 10, "input_tokens_details": object{"cached_tokens": 0},
					"output_tokens": 5, "output_tokens_details": object{"reasoning_tokens": 0}, "total_tokens": 15}}
		}
		if !stream {
			reply(w, response("completed", item))
			return
		}
		events(w,
			object{"type": "response.created", "sequence_number": 0, "response": response("in_progress")},
			object{"type": "response.output_item.added", "sequence_number": 1, "output_index": 0, "item": item},
			object{"type": "response.output_item.done", "sequence_number": 2, "output_index": 0, "item": item},
			object{"type": "response.completed", "sequence_number": 3, "response": response("completed", item)})
	},
}

// customInput is the argument that stands for the text of a custom tool.
const customInput = "custom input"

// https://docs.anthropic.com/en/api/messages
var messages = dialect{
	tools: func(body object) map[string]schema {
		tools := map[string]schema{}
		for _, t := range members(body, "tools") {
			if s := at(t, "input_schema"); s != nil { // others are the server's own
				tools[text(t["name"])] = s
			}
		}
		return tools
	},
	results: func(body object) (all []string) {
		for _, m := range members(body, "messages") {
			for _, c := range members(m, "content") {
				if c["type"] == "tool_result" {
					all = append(all, text(c["content"]))
				}
			}
		}
		return all
	},
	answer: func(w http.ResponseWriter, stream bool, c *call) {
		block, reason := object{"type": "text", "text": done}, "end_turn"
		empty := object{"type": "text", "text": ""}
		delta := object{"type": "text_delta", "text": done}
		if c != nil {
			block, reason = object{"type": "tool_use", "id": c.id, "name": c.tool, "input": json.RawMessage(c.args)}, "tool_use"
			empty = object{"type": "tool_use", "id": c.id, "name": c.tool, "input": object{}}
			delta = object{"type": "input_json_delta", "partial_json": c.args}
		}
		usage := object{"input_tokens": 10, "output_tokens": 5, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
		message := object{"id": "msg_1", "type": "message", "role": "assistant", "model": "e2e", "usage": usage,
			"content": list{}, "stop_reason": nil, "stop_sequence": nil}
		if !stream {
			message["content"], message["stop_reason"] = list{block}, reason
			reply(w, message)
			return
		}
		events(w,
			object{"type": "message_start", "message": message},
			object{"type": "content_block_start", "index": 0, "content_block": empty},
			object{"type": "content_block_delta", "index": 0, "delta": delta},
			object{"type": "content_block_stop", "index": 0},
			object{"type": "message_delta", "delta": object{"stop_reason": reason, "stop_sequence": nil}, "usage": usage},
			object{"type": "message_stop"})
	},
}

// https://ai.google.dev/api/generate-content
var generate = dialect{
	tools: func(body object) map[string]schema {
		tools := map[string]schema{}
		for _, t := range members(body, "tools") {
			for _, f := range members(t, "functionDeclarations") {
				s := at(f, "parametersJsonSchema")
				if s == nil {
					s = at(f, "parameters")
				}
				tools[text(f["name"])] = s
			}
		}
		return tools
	},
	results: func(body object) (all []string) {
		for _, c := range members(body, "contents") {
			for _, p := range members(c, "parts") {
				if r := at(p, "functionResponse"); r != nil {
					all = append(all, text(r["response"]))
				}
			}
		}
		return all
	},
	answer: func(w http.ResponseWriter, stream bool, c *call) {
		part := object{"text": done}
		if c != nil {
			part = object{"functionCall": object{"name": c.tool, "args": json.RawMessage(c.args)}}
		}
		answer := object{"modelVersion": "e2e",
			"candidates":    list{object{"content": object{"role": "model", "parts": list{part}}, "finishReason": "STOP", "index": 0}},
			"usageMetadata": object{"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15}}
		if stream {
			events(w, answer)
		} else {
			reply(w, answer)
		}
	},
}
