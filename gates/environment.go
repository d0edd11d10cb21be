package gates

import "strings"

// isSecretName reports whether a variable's name says that it may hold a
// credential: API_TOKEN, DB_PASSWORD, AWS_SECRET_ACCESS_KEY, DATABASE_URL.
func isSecretName(name string) bool {
	name = strings.ToUpper(name)
	for _, part := range [...]string{
		"AUTH", "COOKIE", "CREDENTIAL", "CRED_", "_CRED", "DATABASE_URL", "DSN", "JWT", "KEY", "LICENSE", "PASS", "PRIVATE",
		"PWD", "SALT", "SECRET", "SESSION", "SIGNATURE", "TOKEN", "WEBHOOK", "CONNECTION_STRING", "REDIS_URL", "MONGO_URL",
	} {
		if strings.Contains(name, part) {
			return name != "PWD" && name != "OLDPWD"
		}
	}
	return false
}
