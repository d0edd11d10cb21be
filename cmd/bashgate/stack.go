package main

// deepen makes the goroutine's stack large enough for a whole decision at
// once. A stack that grows on its way does so by doubling, and each step pages
// in another one and the tables that tell where its pointers are: a
// twentieth of a hook's time. The room itself is only touched if used is true.
//
//go:noinline
func deepen(used bool) byte {
	if !used {
		return 0 // the frame's size alone has done it
	}
	var room [24 << 10]byte
	for i := range room {
		room[i] = room[len(room)-1-i] + 1
	}
	return room[0]
}
