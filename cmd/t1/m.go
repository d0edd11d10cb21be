package main
import ("os";"github.com/bashgate/bashgate/gates";"github.com/bashgate/bashgate/internal/match")
func main(){ if len(os.Args)>5 { gates.Judge(&match.Call{}) }; os.Stdout.WriteString("x") }
