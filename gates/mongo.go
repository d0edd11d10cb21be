package gates

import (
	"strings"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// mongo reads what is given to mongosh --eval. That is JavaScript; taken are
// chains of calls that only query, with constants as arguments, and printing
// of what they return.
//
//	db.users.find({age: {$gt: 5}}).limit(3).toArray()
//	printjson(db.adminCommand({listDatabases: 1}))
func mongo(text policy.Word, _ *match.Call) match.Reading {
	var out report
	script, ok := flatten(text)
	m := mongoScript{javascript{text: script.text}}
	if !ok || !m.script() {
		out.ask("mongo.unreadable", "mongosh script may do more than query", policy.Writes|policy.Executes, policy.ReachUnknown)
		out.Unrecoverable = strings.Contains(script.text, ".dropDatabase(") || strings.Contains(script.text, ".drop(")
	}
	return out.Reading
}

// mongoScript is a script on its way through the reader.
type mongoScript struct{ javascript }

func (m *mongoScript) script() bool {
	return m.statements(m.statement)
}

// statement reads `show dbs`, `use name` or an expression.
func (m *mongoScript) statement() bool {
	start := m.at
	switch m.name() {
	case "show":
		switch m.name() {
		case "dbs", "databases", "collections", "tables", "users", "roles", "profile":
			return true
		}
		return false
	case "use":
		return m.name() != ""
	}
	m.at = start
	return m.expression()
}

// expression reads a query, or a function that prints or converts one.
func (m *mongoScript) expression() bool {
	if !m.deeper() {
		return false
	}
	defer m.shallower()
	start := m.at
	switch name := m.name(); name {
	case "print", "printjson", "tojson", "EJSON", "JSON":
		if name == "EJSON" || name == "JSON" {
			if !m.take('.') || m.name() != "stringify" {
				return false
			}
		}
		return m.list('(', ')', m.expression)
	case "rs", "sh":
		if !m.take('.') {
			return false
		}
		switch m.name() {
		case "status", "conf", "config", "isMaster", "hello", "printReplicationInfo", "printSecondaryReplicationInfo":
			return m.list('(', ')', m.constant)
		}
		return false
	case "db":
		return m.query()
	}
	m.at = start
	return m.constant()
}

// query reads what follows db.
func (m *mongoScript) query() bool {
	path := 0 // names since db: the collection
	for m.take('.') {
		name := m.name()
		if name == "" || name == "system" { // credentials and code
			return false
		}
		if m.peek() != '(' {
			path++
			continue
		}
		if path > 0 {
			return isMongoReader(name) && m.list('(', ')', m.constant) && m.cursor()
		}
		switch name {
		case "getCollection":
			path++
			if !m.list('(', ')', m.constant) {
				return false
			}
		case "getSiblingDB":
			if !m.list('(', ')', m.constant) {
				return false
			}
		case "adminCommand", "runCommand":
			return m.command() && m.cursor()
		case "getCollectionNames", "getCollectionInfos", "getName", "getRoles", "stats", "version", "serverStatus", "serverBuildInfo", "hostInfo", "currentOp", "isMaster", "hello", "listCommands", "getReplicationInfo", "getProfilingStatus":
			return m.list('(', ')', m.constant) && m.cursor()
		default:
			return false
		}
	}
	return true
}

func isMongoReader(method string) bool {
	switch method {
	case "find", "findOne", "count", "countDocuments", "estimatedDocumentCount", "distinct", "aggregate", "getIndexes", "getIndices", "indexInformation", "stats", "dataSize", "storageSize", "totalIndexSize", "totalSize", "isCapped", "latencyStats":
		return true
	}
	return false
}

// cursor reads what is done with a result: .limit(3).toArray()[0].length
func (m *mongoScript) cursor() bool {
	for {
		switch {
		case m.take('['):
			if !m.constant() || !m.take(']') {
				return false
			}
			continue
		case !m.take('.'):
			return true
		}
		name := m.name()
		if m.peek() != '(' {
			if name == "" {
				return false
			}
			continue // a field
		}
		switch name {
		case "limit", "skip", "sort", "toArray", "pretty", "count", "size", "hint", "projection", "next", "hasNext", "explain", "itcount", "batchSize", "maxTimeMS", "allowDiskUse", "collation", "readPref", "join", "toString", "slice":
			if !m.list('(', ')', m.constant) {
				return false
			}
		case "forEach":
			m.at++
			if f := m.name(); f != "printjson" && f != "print" || !m.take(')') {
				return false
			}
		default:
			return false
		}
	}
}

// command reads the argument of runCommand: a name, or an object whose first
// key is the name.
func (m *mongoScript) command() bool {
	start := m.at
	m.take('(')
	m.take('{')
	name := m.name()
	if name == "" {
		var ok bool
		if name, ok = m.quoted(); !ok {
			return false
		}
	}
	switch name {
	case "ping", "listDatabases", "listCollections", "listIndexes", "serverStatus", "buildInfo", "dbStats", "collStats", "hello", "isMaster", "ismaster", "replSetGetStatus", "getParameter", "connectionStatus", "count", "find", "distinct", "hostInfo", "whatsmyuri", "top":
		m.at = start
		return m.list('(', ')', m.constant)
	}
	return false
}

// constant reads a constant, with the server's types: ObjectId("...").
func (m *mongoScript) constant() bool {
	if !m.deeper() {
		return false
	}
	defer m.shallower()
	switch m.peek() {
	case '[':
		return m.list('[', ']', m.constant)
	case '{':
		return m.list('{', '}', m.member)
	}
	if m.simple() {
		return true
	}
	switch m.name() {
	case "new":
		if name := m.name(); name != "Date" && name != "ObjectId" {
			return false
		}
	case "ObjectId", "ISODate", "NumberLong", "NumberInt", "NumberDecimal", "Long", "Int32", "UUID", "Timestamp":
	default:
		return false
	}
	return m.list('(', ')', m.constant)
}

// member reads key: value, where the key is not a stage or operator that
// writes or runs code.
func (m *mongoScript) member() bool {
	key := m.name()
	if key == "" {
		var ok bool
		if key, ok = m.quoted(); !ok {
			return false
		}
	}
	switch key {
	case "$where", "$function", "$accumulator", "$out", "$merge", "mapReduce":
		return false
	}
	return m.take(':') && m.constant()
}
