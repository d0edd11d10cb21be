package main
import ("os";"github.com/bashgate/bashgate/engine")
func main(){ if len(os.Args)>5 { engine.New(engine.Options{}).Evaluate(engine.Request{}) }; os.Stdout.WriteString("x") }
