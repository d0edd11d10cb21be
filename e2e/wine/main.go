package main
import "os"
func main(){ os.WriteFile(os.Args[1], random(), 0o644) }
