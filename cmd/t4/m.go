package main
import ("os";"strings";"mvdan.cc/sh/v3/syntax")
func main(){ if len(os.Args)>5 { syntax.NewParser().Parse(strings.NewReader("a"),"") }; os.Stdout.WriteString("x") }
