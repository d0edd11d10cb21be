package engine

import (
	"testing"

	"github.com/bashgate/bashgate/policy"
)

// nodeClasses are texts with classes that hold something themselves, and with members that
// a function sets.
var nodeClasses = []string{
	`class A { static m(x) { return x + 1 } } console.log(A.m(1))`,
	`class A { static n = 0; static next() { return ++A.n } } A.next(); console.log(A.next(), A.n)`,
	`class A { static #n = 0; static next() { return A.#n++ } } console.log(A.next())`,
	`class A { static k = {a: 1}; constructor(x) { this.x = x } static of(x) { return new A(x).x } } console.log(A.of(3), A.k.a)`,
	`class A { static m() { return this.n } static n = 2 } console.log(A.m())`,
	`class A { #x = 0; get x() { return this.#x } set x(v) { this.#x = v } } const a = new A(); a.x = 5; console.log(a.x)`,
	`class A { static read(f) { return fs.readFileSync(f, 'utf8').length } } console.log(A.read('a.js'))`,
	`class A { static get v() { return 3 } } console.log(A.v)`,
	`class A { static m() { return 1 } m() { return A.m() + 1 } } console.log(new A().m())`,
}

// nodeOddClasses are such of which more is taken than that, or that do more.
var nodeOddClasses = []string{
	`class A { static m(x) { fs.unlinkSync('/etc/x') } } A.m()`,
	`class A { static m(x) { return x } } console.log([A.m])`,
	`class A { static m(x) { return x } } const f = A.m; f(1)`,
	`class A { static m(x) { return x } } const k = process.argv[1]; console.log(A[k])`,
	`class A { static m(x) { return x } } A.m.call(null, 1)`,
	`class A { static m(x) { return x } } A.constructor('return 1')()`,
	`class A { static m(x) { return x } } console.log(A.bind)`,
	`class A { static n = 1 } A.toString = 1; console.log(A.n)`,
	`class A { static n = 1 } A.call()`,
	`class A { static n = 1 } A.prototype.x = 1`,
	`class A { static n = 1 } const B = A; console.log(B.n)`,
	`class A { static n = 1; static m() { return this } } A.m().m()`,
	`class A { static m() { new this() } } A.m()`,
	`class A { static prototype = 1 }`,
	`class A { static name() { return 1 } } console.log(A.name())`,
	`class A { static then(r) { r(1) } } (async () => await A)()`,
	`class A { static f = () => fs.unlinkSync('/etc/x') } A.f()`,
	`class A { static n = fs.unlinkSync('/etc/x') }`,
	`class A { static { fs.unlinkSync('/etc/x') } }`,
	`class A { set x(v) { fs.unlinkSync('/etc/x') } } new A().x = 1`,
	`class A { set x(v) { fs.unlinkSync(v) } } new A().x = '/etc/x'`,
	`class A { set x(v) { child_process.execSync(v) } } const a = new A(); a.x = 'ls'`,
	`class A { set x(v) { this.p = v } } const a = new A(); a.x = '.e'; console.log(fs.readFileSync(a.p + 'nv', 'utf8'))`,
	`class A { static p = '.e'; static add() { A.p += 'nv' } } A.add(); console.log(fs.readFileSync(A.p, 'utf8'))`,
	`class A { static set p(v) { this.q = v } static q = 1 } A.p = '.e'; console.log(fs.readFileSync(A.q + 'nv', 'utf8'))`,
	`class A { static get p() { return '.e' } } console.log(fs.readFileSync(A.p.concat('nv'), 'utf8'))`,
	`class A { static n = 1 } const k = process.argv[1]; A.n = ''[k]; console.log(A.n[k])`,
	`class A { get x() { return 1 } x = fs } console.log(new A().x)`,
	`class A { set x(v) { this.y = v[process.argv[1]] } } const a = new A(); a.x = ''; console.log(a.y[process.argv[1]])`,
	`class A { static m() { return 1 } } class B extends A {} console.log(B.m())`,
	`class A { static m() { return 1 } } delete A.m; A.m()`,
	`class A { static m() { return 1 } } A['m'](); A['constructor']('1')()`,
	`class A { static ['m']() { return 1 } } A.m()`,
	`class A { static async *[Symbol.iterator]() { fs.unlinkSync('/etc/x') } } console.log([...A])`,
	`class A { static [Symbol.hasInstance]() { fs.unlinkSync('/etc/x') } } console.log(1 instanceof A)`,
	"class A { static toString() { fs.unlinkSync('/etc/x') } } console.log(`${A}`)",
	`class A { static valueOf() { return 1 } } console.log(A + 1)`,
	`class A { static x = 1; static x() { return fs.unlinkSync('/etc/x') } } A.x()`,
}

func TestNodeClasses(t *testing.T) {
	e := New(Options{Files: nodeWorld()})
	for _, program := range nodeClasses {
		if v := nodeVerdict(e, nodeLine(program), "default"); v.Decision != policy.Allow {
			t.Errorf("%v %s: %s", v.Decision, program, v.Reason)
		}
	}
	for _, program := range nodeOddClasses {
		if v := nodeVerdict(e, nodeLine(program), ModeAcceptEdits); v.Decision == policy.Allow {
			t.Errorf("allows %s", program)
		}
	}
}
