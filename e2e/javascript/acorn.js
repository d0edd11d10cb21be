// Prints what acorn reads in texts, one tree a line, in the form that
// javascript_test.go writes for the gate's own reader. Texts come as JSON
// strings, one a line; a text that is neither a script nor a module is "error".
"use strict";
const path = require("path");
const acorn = require(path.join(process.argv[2], "node_modules", "acorn"));

const text = (s) => `'${Buffer.from(s, "utf8").toString("latin1").replace(/[^ -~]|['\\]/g, (c) => "\\x" + c.charCodeAt(0).toString(16).padStart(2, "0"))}'`;
const node = (kind, ...parts) => `(${[kind, ...parts].join(" ")})`;
const list = (items, f) => `[${items.map(f).join(" ")}]`;
const maybe = (n, f) => (n ? f(n) : "-");
const flag = (on, name) => (on ? name : "-");

const statements = (body) => list(body.filter((s) => s.type !== "EmptyStatement"), stmt);
// The body of a loop is a list, whether it has braces or not.
const loop = (s) => (s.type === "BlockStatement" ? statements(s.body) : statements([s]));
const one = (s) => (s.type === "EmptyStatement" ? "-" : stmt(s));
const alias = (n) => text(n.type === "Literal" ? n.value : n.name);

function variables(n) {
  return node("var", n.kind, list(n.declarations, (d) => node("d", pattern(d.id), maybe(d.init, expr))));
}

function stmt(n) {
  switch (n.type) {
    case "VariableDeclaration": return variables(n);
    case "ExpressionStatement": return node("expr", expr(n.expression));
    case "BlockStatement": return node("block", statements(n.body));
    case "IfStatement": return node("if", expr(n.test), one(n.consequent), n.alternate ? (n.alternate.type === "EmptyStatement" ? "(block [])" : stmt(n.alternate)) : "-");
    case "ForStatement": return node("for", n.init ? (n.init.type === "VariableDeclaration" ? variables(n.init) : node("expr", expr(n.init))) : "-", maybe(n.test, expr), maybe(n.update, expr), loop(n.body));
    case "ForInStatement":
    case "ForOfStatement": {
      const declared = n.left.type === "VariableDeclaration";
      if (declared && n.left.declarations[0].init) throw new SyntaxError("for (var a = 1 in b)");
      return node("each", declared ? n.left.kind : "-", declared ? pattern(n.left.declarations[0].id) : pattern(n.left), flag(n.type === "ForOfStatement", "of"), flag(n.await, "await"), expr(n.right), loop(n.body));
    }
    case "WhileStatement": return node("while", expr(n.test), one(n.body));
    case "DoWhileStatement": return node("do", expr(n.test), one(n.body));
    case "SwitchStatement": return node("switch", expr(n.discriminant), list(n.cases, (c) => node("case", maybe(c.test, expr), statements(c.consequent))));
    case "ReturnStatement": return node("return", maybe(n.argument, expr));
    case "BreakStatement":
    case "ContinueStatement": return node(n.type === "BreakStatement" ? "break" : "continue", n.label ? text(n.label.name) : "-");
    case "ThrowStatement": return node("throw", expr(n.argument));
    case "TryStatement": return node("try", statements(n.block.body), n.handler ? maybe(n.handler.param, pattern) : "-", n.handler ? statements(n.handler.body.body) : "-", n.finalizer ? statements(n.finalizer.body) : "-");
    case "LabeledStatement": return node("label", text(n.label.name), one(n.body));
    case "FunctionDeclaration": return node("function", func(n));
    case "ClassDeclaration": return node("class", klass(n));
    case "DebuggerStatement": return node("debugger");
    case "WithStatement": return node("with", expr(n.object), one(n.body));
    case "ImportDeclaration": {
      let def = "-", all = "-";
      const names = [];
      for (const s of n.specifiers) {
        if (s.type === "ImportDefaultSpecifier") def = text(s.local.name);
        else if (s.type === "ImportNamespaceSpecifier") all = text(s.local.name);
        else names.push(node("as", alias(s.imported), text(s.local.name)));
      }
      return node("import", text(n.source.value), def, all, `[${names.join(" ")}]`);
    }
    case "ExportAllDeclaration": return node("export", "-", "-", `[${node("as", n.exported ? alias(n.exported) : text("*"), text("*"))}]`, text(n.source.value));
    case "ExportNamedDeclaration": return node("export", maybe(n.declaration, stmt), "-", list(n.specifiers, (s) => node("as", alias(s.exported), alias(s.local))), n.source ? text(n.source.value) : "-");
    case "ExportDefaultDeclaration": {
      const d = n.declaration;
      if (d.type === "FunctionDeclaration" || d.type === "ClassDeclaration") return node("export", stmt(d), "-", "[]", "-");
      return node("export", "-", expr(d), "[]", "-");
    }
  }
  throw new Error(n.type);
}

function param(n) {
  switch (n && n.type) {
    case "AssignmentPattern": return node("p", pattern(n.left), expr(n.right), "-");
    case "RestElement": return node("p", pattern(n.argument), "-", "rest");
  }
  return node("p", n ? pattern(n) : "-", "-", "-");
}

function pattern(n) {
  switch (n.type) {
    case "ArrayPattern": {
      // Commas at the end bind nothing.
      const items = n.elements.slice();
      while (items.length && !items[items.length - 1]) items.pop();
      return node("array", list(items, param));
    }
    case "ObjectPattern": return node("object", list(n.properties, (p) => (p.type === "RestElement" ? node("prop", "''", "-", param(p)) : node("prop", ...key(p), param(p.value)))));
  }
  return expr(n);
}

function key(p) {
  if (p.computed) return ["''", expr(p.key)];
  if (p.key.type === "PrivateIdentifier") return [text("#" + p.key.name), "-"];
  return [text(p.key.type === "Literal" ? String(p.key.value) : p.key.name), "-"];
}

function func(n, arrow) {
  return node("f", n.id ? text(n.id.name) : "-", list(n.params, param),
    n.body.type === "BlockStatement" ? statements(n.body.body) : `[${node("return", expr(n.body))}]`,
    flag(arrow, "arrow"), flag(n.async, "async"), flag(n.generator, "generator"));
}

function klass(n) {
  return node("c", n.id ? text(n.id.name) : "-", maybe(n.superClass, expr), list(n.body.body, (m) => {
    if (m.type === "StaticBlock") return node("block", statements(m.body));
    const kind = m.type === "PropertyDefinition" ? "field" : m.kind === "constructor" ? "method" : m.kind;
    return node(kind, flag(m.static, "static"), ...key(m), m.value ? (m.type === "PropertyDefinition" ? expr(m.value) : func(m.value)) : "-");
  }));
}

const args = (a) => list(a, expr);

function number(f) {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(f);
  return bytes.toString("hex");
}

function template(quasi, tag) {
  return node("template", tag, list(quasi.quasis, (q) => text(q.value.cooked)), list(quasi.quasis, (q) => text(q.value.raw)), list(quasi.expressions, expr));
}

function expr(n) {
  switch (n && n.type) {
    case null: case undefined: return "-";
    case "Identifier": return text(n.name);
    case "PrivateIdentifier": return text("#" + n.name);
    case "Literal":
      if (n.regex) return node("regexp", text(n.regex.pattern), text(n.regex.flags));
      if (n.bigint !== undefined) return node("bigint", n.raw.replace(/_|n$/g, ""));
      if (typeof n.value === "string") return node("string", text(n.value));
      if (typeof n.value === "number") return node("number", number(n.value));
      return String(n.value);
    case "TemplateLiteral": return template(n, "-");
    case "TaggedTemplateExpression": return template(n.quasi, expr(n.tag));
    case "ArrayExpression": return node("array", list(n.elements, expr));
    case "ObjectExpression": return node("object", list(n.properties, (p) => {
      if (p.type === "SpreadElement") return node("spread", "''", "-", expr(p.argument));
      const method = p.method || p.kind !== "init";
      return node(p.kind !== "init" ? p.kind : p.method ? "method" : "init", ...key(p), method ? func(p.value) : expr(p.value));
    }));
    case "FunctionExpression": return func(n);
    case "ArrowFunctionExpression": return func(n, true);
    case "ClassExpression": return klass(n);
    case "UnaryExpression": return node("unary", n.operator, expr(n.argument));
    case "UpdateExpression": return node("update", n.operator, pattern(n.argument), flag(n.prefix, "prefix"));
    case "BinaryExpression":
    case "LogicalExpression": return node("binary", n.operator, expr(n.left), expr(n.right));
    case "AssignmentExpression": return node("assign", n.operator, pattern(n.left), expr(n.right));
    case "ConditionalExpression": return node("cond", expr(n.test), expr(n.consequent), expr(n.alternate));
    case "ChainExpression":
    case "ParenthesizedExpression": return expr(n.expression);
    case "CallExpression": return node("call", expr(n.callee), args(n.arguments), flag(n.optional, "optional"));
    case "NewExpression": return node("new", expr(n.callee), args(n.arguments));
    case "MemberExpression": return node("member", expr(n.object), ...key({ computed: n.computed, key: n.property }), flag(n.optional, "optional"));
    case "SpreadElement": return node("...", expr(n.argument));
    case "SequenceExpression": return node("sequence", list(n.expressions, expr));
    case "AwaitExpression": return node("await", expr(n.argument));
    case "YieldExpression": return node("yield", maybe(n.argument, expr), flag(n.delegate, "each"));
    case "ImportExpression": return node("import", args(n.options ? [n.source, n.options] : [n.source]));
    case "ThisExpression": return "this";
    case "Super": return "super";
    case "MetaProperty": return `${n.meta.name}.${n.property.name}`;
  }
  throw new Error(n.type);
}

function read(source) {
  const options = { ecmaVersion: "latest", allowHashBang: true };
  for (const sourceType of ["script", "module"]) {
    let tree;
    try {
      tree = acorn.parse(source, { ...options, sourceType });
    } catch (e) {
      if (e instanceof SyntaxError) continue;
      throw e;
    }
    try {
      return statements(tree.body);
    } catch (e) {
      if (e instanceof SyntaxError) return "error";
      throw e;
    }
  }
  return "error";
}

const lines = require("readline").createInterface({ input: process.stdin });
lines.on("line", (line) => process.stdout.write(read(JSON.parse(line)) + "\n"));
