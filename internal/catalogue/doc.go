// Package catalogue lists what there is: the built-in rule files, what rule
// files of others may refer to, the tools by which agents run commands, and the
// opinions that no rule file has.
package catalogue
