package gates

import (
	"strings"
	"testing"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

func TestDc(t *testing.T) {
	checkRows(t, dc, "dc", []row{
		{"10 k 5 3 / p", "ok"},
		{"[la1+dsa*pla10>y]sy0sa1lyx", "ok"},
		{"1 2 !<a !>b !=c", "ok"},
		{"<#n> 2 * p", "ok"},
		{"!ls -l", "script ls -l; ask dc.execute"},
		{"1p\n!ls\n2p", "script ls; ask dc.execute"},
		{"[!ls]x", "ask dc.execute"},
		{"!!=x", "script   x; ask dc.execute"},
		{"?", "ask dc.execute"},
		{"1 ? p", "ask dc.execute"},
		{"<n>", "ask dc.unreadable"},
	})
}

func TestGdb(t *testing.T) {
	checkRows(t, gdb, "gdb", []row{
		{"bt", "ok"},
		{"bt full", "ok"},
		{"thread apply all bt", "ok"},
		{"info registers rip", "ok"},
		{"x/10i $pc", "ok"},
		{"p/x $rax", "ok"},
		{"p a.b", "ok"},
		{"list main", "ok"},
		{"set pagination off", "ok"},
		{"frame <#n>", "ok"},
		{"quit", "ok"},
		{"show version", "ok"},
		{"show environment", "ask gdb.environment"},
		{"run", "ask gdb.unreadable"},
		{"shell id", "ask gdb.unreadable"},
		{"!id", "ask gdb.unreadable"},
		{"pipe bt | sh", "ask gdb.unreadable"},
		{"p system(\"id\")", "ask gdb.unreadable"},
		{"p $_shell(\"id\")", "ask gdb.unreadable"},
		{"p a = 1", "ask gdb.unreadable"},
		{"p a + b", "ask gdb.unreadable"},
		{"call f()", "ask gdb.unreadable"},
		{"python print(1)", "ask gdb.unreadable"},
		{"source x", "ask gdb.unreadable"},
		{"set logging file x", "ask gdb.unreadable"},
		{"set args x", "ask gdb.unreadable"},
		{"thread apply all shell id", "ask gdb.unreadable"},
		{"bt\nshell id", "ask gdb.unreadable"},
		{"p <n>", "ask gdb.unreadable"},
	})
}

func TestMongo(t *testing.T) {
	checkRows(t, mongo, "mongosh", []row{
		{"db.users.find()", "ok"},
		{"db.users.find({age: {$gt: 5}, 'a.b': [1, -2.5, null]}).sort({x: -1}).limit(<#n>).toArray()[0].name", "ok"},
		{"db.getCollection('a-b').countDocuments({})", "ok"},
		{"db.getSiblingDB('x').getCollectionNames()", "ok"},
		{"db.a.b.aggregate([{$match: {a: ObjectId('x')}}, {$group: {_id: '$b', n: {$sum: 1}}}])", "ok"},
		{"JSON.stringify(db.foo.findOne())", "ok"},
		{"printjson(db.adminCommand({listDatabases: 1}));", "ok"},
		{"db.adminCommand('ping').ok", "ok"},
		{"db.runCommand({ping: 1})", "ok"},
		{"show dbs\nuse x; show collections", "ok"},
		{"rs.status()", "ok"},
		{"db.version(); print(db.stats())", "ok"},
		{"db.x.find({at: {$lt: new Date('2024-01-01')}}).forEach(printjson)", "ok"},
		{"db.users", "ok"},
		{"", "ok"},
		{"db.dropDatabase()", "ask mongo.unreadable"},
		{"db.users.drop()", "ask mongo.unreadable"},
		{"db.users.deleteMany({})", "ask mongo.unreadable"},
		{"db.users.find().forEach(function(u) { db.x.insert(u) })", "ask mongo.unreadable"},
		{"db.users.find({$where: 'sleep(1)'})", "ask mongo.unreadable"},
		{"db.users.aggregate([{'$out': 'x'}])", "ask mongo.unreadable"},
		{"db.users.aggregate([{$merge: {into: 'x'}}])", "ask mongo.unreadable"},
		{"db.users.find({a: f()})", "ask mongo.unreadable"},
		{"db.adminCommand({shutdown: 1})", "ask mongo.unreadable"},
		{"db.runCommand('dropDatabase')", "ask mongo.unreadable"},
		{"db.system.users.find()", "ask mongo.unreadable"},
		{"db.getUsers({showCredentials: true})", "ask mongo.unreadable"},
		{"db.users.find() db.users.drop()", "ask mongo.unreadable"},
		{"db.users.find()\ndb.users.drop()", "ask mongo.unreadable"},
		{"print;db.users.drop()", "ask mongo.unreadable"},
		{"load('x.js')", "ask mongo.unreadable"},
		{"require('child_process').execSync('id')", "ask mongo.unreadable"},
		{"db['dropDatabase']()", "ask mongo.unreadable"},
		{"db.users.find({a: 'x\\', b: f(), c: \\''})", "ask mongo.unreadable"},
		{"`${db.dropDatabase()}`", "ask mongo.unreadable"},
		{"// x\ndb.users.drop()", "ask mongo.unreadable"},
		{"rs.stepDown()", "ask mongo.unreadable"},
		{"db.users.find({a: '<n>'})", "ask mongo.unreadable"},
		{strings.Repeat("print(", 5000), "ask mongo.unreadable"},
	})
}

// A danger at the end is seen whatever stands before it.
func FuzzSmall(f *testing.F) {
	for _, s := range []string{"db.a.find({b: [1]}).limit(1)", "[!<a]x?", "thread apply all bt"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, r := range []struct {
			name   string
			read   reader
			danger string
		}{
			{"dc", dc, "\n!danger"},
			{"gdb", gdb, "\nshell danger"},
			{"mongo", mongo, "\n;db.dropDatabase()"},
		} {
			if after := r.read(policy.Const(text+r.danger), &match.Call{Name: r.name}); strictness(after) < 2 {
				t.Errorf("%s: %q with %q is %s", r.name, text, r.danger, describe(after))
			}
		}
	})
}
