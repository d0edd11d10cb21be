package main
import ("os";"github.com/bashgate/bashgate/internal/config")
func main(){ if len(os.Args)>5 { config.Load(nil, "", nil) }; os.Stdout.WriteString("x") }
