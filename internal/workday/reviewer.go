package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/bashgate/bashgate/internal/cop"
)

// reviewerName is the name of the program that the hook starts to talk to a
// model. A link of that name is this program, in its place.
const reviewerName = "bashgated"

// callsName is the file beside it that has one byte for each question to a
// model.
const callsName = "calls"

// review clears whatever it is asked, and counts.
func review(dir string, in io.Reader, out io.Writer) error {
	data, err := io.ReadAll(in)
	if err != nil {
		return err
	}
	call, err := cop.DecodeCall(data)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(filepath.Join(dir, callsName), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(strings.Repeat(".", len(call.Prompts)))
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	var reply cop.Reply
	for _, p := range call.Prompts {
		reply.Texts = append(reply.Texts, cop.Text{
			Text: `{"nonce":"` + p.Nonce + `","effect":"read_local","targets":[],"sends_data":false,"risk":"low","reason":"ordinary work"}`,
		})
	}
	_, err = out.Write(reply.Encode())
	return err
}

// calls is how many questions to a model were counted beside it.
func calls(dir string) (int, error) {
	data, err := os.ReadFile(filepath.Join(dir, callsName))
	if errors.Is(err, os.ErrNotExist) {
		return 0, nil
	}
	return len(data), err
}
