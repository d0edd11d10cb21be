package mask

import "strings"

// form is what a service's tokens begin with and how they go on.
type form struct {
	begin string
	least int    // bytes behind the beginning
	more  string // bytes besides letters and digits
}

// forms are the tokens of well-known services.
var forms = [...]form{
	{"sk-", 16, "_-"}, {"sk_live_", 10, ""}, {"sk_test_", 10, ""}, {"rk_live_", 10, ""}, {"rk_test_", 10, ""}, {"whsec_", 16, "+/="}, // OpenAI, Anthropic, Stripe
	{"ghp_", 16, "_"}, {"gho_", 16, "_"}, {"ghu_", 16, "_"}, {"ghs_", 16, "_-."}, {"ghr_", 16, "_"}, {"github_pat_", 16, "_"},
	{"glpat-", 12, "_-."}, {"gldt-", 12, "_-"}, {"glrt-", 12, "_-."}, {"glcbt-", 12, "_-"}, {"glptt-", 12, "_-"}, {"glft-", 12, "_-"}, {"gloas-", 12, "_-"}, {"glsoat-", 12, "_-"},
	{"xoxa-", 10, "-"}, {"xoxb-", 10, "-"}, {"xoxc-", 10, "-"}, {"xoxd-", 10, "-%"}, {"xoxe-", 10, "-"}, {"xoxe.", 10, "-."}, {"xoxo-", 10, "-"}, {"xoxp-", 10, "-"}, {"xoxr-", 10, "-"}, {"xoxs-", 10, "-"}, {"xapp-", 10, "-"},
	{"AKIA", 12, ""}, {"ASIA", 12, ""}, {"ABIA", 12, ""}, {"ACCA", 12, ""}, {"ABSK", 40, "+/="}, {"LTAI", 12, ""},
	{"AIza", 28, "_-"}, {"ya29.", 12, "_-."}, {"GOCSPX-", 12, "_-"}, {"1//0", 28, "_-"},
	{"eyJ", 17, "_-.=+/"}, {"hvs.", 12, "_-"}, {"hvb.", 12, "_-"}, {"hvr.", 12, "_-"},
	{"npm_", 20, ""}, {"pypi-", 16, "_-"}, {"rubygems_", 20, ""}, {"dckr_pat_", 12, "_-"}, {"dckr_oat_", 12, "_-"}, {"cio", 32, ""}, {"oy2", 40, ""},
	{"dop_v1_", 16, ""}, {"doo_v1_", 16, ""}, {"dor_v1_", 16, ""}, {"HRKU-", 20, "_-"}, {"hf_", 16, ""}, {"api_org_", 16, ""}, {"SG.", 20, "_-."}, {"key-", 24, ""},
	{"shpat_", 16, ""}, {"shpss_", 16, ""}, {"shpca_", 16, ""}, {"shppa_", 16, ""}, {"sq0atp-", 16, "_-"}, {"sq0csp-", 16, "_-"}, {"SK", 32, ""}, {"EAAC", 40, ""},
	{"lin_api_", 16, ""}, {"ntn_", 30, ""}, {"secret_", 30, ""}, {"figd_", 16, "_-"}, {"PMAK-", 20, "-"}, {"NRAK-", 20, ""}, {"glsa_", 16, "_"}, {"glc_", 20, "=+/"},
	{"ATATT3", 16, "_-="}, {"ATCTT3", 16, "_-="}, {"ATBB", 20, "="}, {"BBDC-", 16, "+/="}, {"dapi", 32, "-"}, {"pul-", 32, ""}, {"sntrys_", 16, "_=+/"}, {"sntryu_", 16, ""},
	{"phx_", 20, ""}, {"phc_", 20, ""}, {"gsk_", 20, ""}, {"xai-", 20, "_-"}, {"r8_", 20, ""}, {"pplx-", 20, ""}, {"nvapi-", 20, "_-"}, {"fw_", 20, ""}, {"tgp_v1_", 20, "_-"},
	{"AGE-SECRET-KEY-", 20, "-"}, {"AGE-PLUGIN-", 20, "-"}, {"dp.pt.", 16, ""}, {"dp.st.", 16, "._"}, {"dp.sa.", 16, ""}, {"sbp_", 20, ""}, {"sb_secret_", 12, "_-"}, {"tskey-", 12, "-"},
	{"ops_eyJ", 20, "_-="}, {"A3-", 24, "-"}, {"fo1_", 20, "_-"}, {"FlyV1 ", 20, "_-+/=,"}, {"vercel_blob_rw_", 16, "_"}, {"CFPAT-", 20, "_-"}, {"cfut_", 20, "_-"}, {"v1.0-", 40, "-"},
	{"rnd_", 20, ""}, {"bkua_", 20, ""}, {"rpa_", 20, ""}, {"duffel_live_", 16, "_-"}, {"shippo_live_", 16, ""}, {"access_token$production$", 10, "$"}, {"pscale_tkn_", 16, "_-."}, {"pscale_pw_", 16, "_-."},
	{"SWMTKN-1-", 16, "-"}, {"M2M", 40, ""}, {"EZAK", 30, ""}, {"EZTK", 30, ""}, {"patv", 40, "_-."}, {"jfrt@", 16, "-/"}, {"AKCp", 30, ""}, {"cmVmd", 40, ""},
}

// tokens finds the tokens of well-known services.
func (f *finder) tokens() {
	text := f.text
	for i := 0; i < len(text); i++ {
		if i > 0 && tokenByte(text[i-1]) && !escape(text, i) {
			continue
		}
		for k := range forms {
			form := &forms[k]
			if text[i] != form.begin[0] || !strings.HasPrefix(text[i:], form.begin) {
				continue
			}
			rest := i + len(form.begin)
			end, varied, parts := rest, false, false
			for end < len(text) && (alnum(text[end]) || strings.IndexByte(form.more, text[end]) >= 0) {
				varied = varied || !lower(text[end]) && alnum(text[end])
				parts = parts || !alnum(text[end])
				end++
			}
			if end-rest >= form.least && (varied || !parts) { // sk-learn-by-example is a name
				f.mark(i, end)
			}
		}
	}
	f.dotted()
	f.hooks()
}

// escape reports whether the letter before i ends an escape: \nghp_...
func escape(text string, i int) bool {
	return i > 1 && text[i-2] == '\\' && strings.IndexByte("nrt", text[i-1]) >= 0
}

// dotted finds tokens of parts: Discord's (24 . 6 . 27), Terraform Cloud's
// (14.atlasv1.60), and Telegram's (a number : 35).
func (f *finder) dotted() {
	text := f.text
	for i := 0; i < len(text); {
		if !tokenByte(text[i]) {
			i++
			continue
		}
		first := tokenEnd(text, i, "")
		if first < len(text) && (text[first] == '.' || text[first] == ':') {
			second := tokenEnd(text, first+1, "")
			if text[first] == ':' {
				if number(strings.TrimPrefix(text[i:first], "bot")) && first-i >= 6 && second-first > 30 {
					f.mark(i, second)
				}
			} else if second < len(text) && text[second] == '.' {
				third := tokenEnd(text, second+1, "")
				atlas := text[first+1:second] == "atlasv1" && third-second > 30
				discord := first-i >= 23 && first-i <= 28 && second-first >= 6 && second-first <= 8 && third-second > 26
				if atlas || discord {
					f.mark(i, third)
				}
			}
		}
		i = first
	}
}

func number(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}

// hooks finds addresses that are secrets themselves.
func (f *finder) hooks() {
	for _, place := range [...]string{
		"hooks.slack.com/services/", "hooks.slack.com/workflows/", "hooks.slack.com/triggers/", "/api/webhooks/", ".webhook.office.com/", "hooks.zapier.com/hooks/catch/",
		"maker.ifttt.com/trigger/", "hook.make.com/", "/incomingwebhook/", "open.feishu.cn/open-apis/bot/v2/hook/", "ntfy.sh/tk_",
	} {
		for i := 0; ; {
			at := strings.Index(f.text[i:], place)
			if at < 0 {
				break
			}
			i += at + len(place)
			end := i + addressEnd(f.text[i:])
			if n := strings.IndexAny(f.text[i:end], ";&)|"); n >= 0 {
				end = i + n
			}
			f.mark(i, end)
		}
	}
}

// privateKeys finds private keys in their usual armour, also where line ends
// are written \n. What in there is no line of a key stays.
func (f *finder) privateKeys() {
	const begin = "-----BEGIN "
	for i := 0; ; {
		at := strings.Index(f.text[i:], begin)
		if at < 0 {
			return
		}
		start := i + at
		head := f.text[start+len(begin):]
		dashes := strings.Index(head, "-----")
		i = start + len(begin)
		if dashes < 0 || dashes > 60 || !strings.Contains(head[:dashes], "PRIVATE KEY") {
			continue
		}
		i += dashes + len("-----")
		end := i
		for end < len(f.text) {
			next := keyLine(f.text, end)
			if next == end {
				break
			}
			end = next
		}
		f.mark(start, end)
		i = end
	}
}

// keyLine is the end of the part of a key that begins at i: a line of base64, a
// header, line ends, quotes around lines, the last line. It is i where something
// else stands there.
func keyLine(text string, i int) int {
	rest := text[i:]
	if strings.HasPrefix(rest, "-----END ") {
		if n := strings.Index(rest[9:], "-----"); n >= 0 && n < 60 {
			return i + 9 + n + 5
		}
		return i
	}
	for _, header := range [...]string{"Proc-Type:", "DEK-Info:", "Comment:", "Version:", "Hash:"} {
		if strings.HasPrefix(rest, header) {
			if n := strings.IndexAny(rest, "\n\\\"'"); n >= 0 {
				return i + n
			}
			return len(text)
		}
	}
	if end := tokenEnd(text, i, "+/="); end > i && (end-i >= 16 || i > 0 && strings.IndexByte("\n\\\"' ", text[i-1]) < 0 || !word(text[i:end]) || strings.HasPrefix(text[end:], "\n-----END") || strings.HasPrefix(text[end:], `\n-----END`)) {
		return end
	}
	if strings.IndexByte(" \t\r\n\\\"'+,", rest[0]) >= 0 {
		return i + 1
	}
	return i
}

// hasUUID reports whether a run is a UUID with at most a name around it.
func hasUUID(run string) bool {
	const length, name = 36, 16
	for i := 0; i+length <= len(run) && len(run) <= length+name; i++ {
		uuid := run[i : i+length]
		if uuid[8] == '-' && uuid[13] == '-' && uuid[18] == '-' && uuid[23] == '-' && strings.Trim(uuid, "0123456789abcdefABCDEF-") == "" {
			return true
		}
	}
	return false
}

// word reports whether a text is letters of one case: a word of a language.
func word(text string) bool {
	for i := range len(text) {
		if !lower(text[i]) {
			return false
		}
	}
	return true
}

// random finds long words of letters and digits in a mix that no name has.
func (f *finder) random() {
	text := f.text
	for i := 0; i < len(text); {
		if !tokenByte(text[i]) && text[i] != '+' && text[i] != '/' {
			i++
			continue
		}
		end := tokenEnd(text, i, "+/")
		f.run(i, end)
		i = end
	}
}

// run looks at one run of the letters of base64. It may be a path of names, of
// which one is random.
func (f *finder) run(start, end int) {
	if end-start < longWord || strings.Contains(f.text[start:end], prefix) {
		return
	}
	if run := f.text[start:end]; looksRandom(run) && !hasNames(run) && !f.digest(start, end) {
		for end < len(f.text) && f.text[end] == '=' {
			end++
		}
		f.mark(start, end)
		return
	}
	for start < end {
		part := start
		for part < end && f.text[part] != '/' {
			part++
		}
		if aws := start + awsSecret; part-start >= longWord && looksRandom(f.text[start:part]) && !f.digest(start, part) {
			f.mark(start, part)
		} else if aws > part && aws <= end && (aws == end || f.text[aws] == '/') && looksRandom(f.text[start:aws]) {
			f.mark(start, aws)
		}
		start = part + 1
	}
}

// longWord is from how many bytes on a word can be random.
const longWord = 32

// hasNames reports whether a run is a path: more parts than chance makes, an
// absolute one, or one with a word or a digest for a part.
func hasNames(run string) bool {
	if run[0] == '/' || strings.Count(run, "/") > len(run)/16 {
		return true
	}
	for parts := run; strings.Contains(run, "/") && parts != ""; {
		var part string
		part, parts, _ = strings.Cut(parts, "/")
		if len(part) >= 3 && word(part) || isSum(part) {
			return true
		}
	}
	return false
}

// isSum reports whether a text is a commit's or a digest's.
func isSum(text string) bool {
	return (len(text) == 40 || len(text) == 64) && strings.Trim(text, "0123456789abcdef") == ""
}

// awsSecret is how long AWS' secret keys are, which may hold slashes.
const awsSecret = 40

// looksRandom reports whether letters of both cases and digits, or two of the
// three kinds, change places as often as in random words. Names and numbers
// change rarely.
func looksRandom(text string) bool {
	var kinds [3]bool
	pairs, changes, last, low, names := 0, 0, -1, 0, 0
	for i := range len(text) {
		kind := -1
		switch b := text[i]; {
		case lower(b):
			kind = 0
		case upper(b):
			kind = 1
		case digit(b):
			kind = 2
		}
		if kind == 0 {
			low++
		} else {
			if low >= 4 {
				names += low // four small letters in a row
			}
			low = 0
		}
		if kind >= 0 {
			kinds[kind] = true
			if last >= 0 {
				pairs++
				if kind != last {
					changes++
				}
			}
		}
		last = kind
	}
	if low >= 4 {
		names += low
	}
	switch {
	case pairs < longWord*3/4 || !kinds[2]:
		return false
	case kinds[0] && kinds[1]:
		return changes*100 >= pairs*33 && names*100 < len(text)*35
	}
	return changes*100 >= pairs*24
}

// digest reports whether a run is the sum or the name of something public: a
// commit, a digest, a UUID, a store path.
func (f *finder) digest(start, end int) bool {
	run, before := f.text[start:end], f.text[:start]
	for _, prefix := range [...]string{"sha1-", "sha256-", "sha384-", "sha512-", "h1:", "sha1:", "sha256:", "SHA256:", "sha384:", "sha512:", "md5:"} {
		if strings.HasPrefix(run, prefix) || strings.HasSuffix(before, prefix) || strings.HasSuffix(before, prefix+"'") {
			return true
		}
	}
	if strings.HasSuffix(before, "/nix/store/") || strings.HasPrefix(run, "/nix/store/") {
		return true
	}
	if end < len(f.text) && f.text[end] == '.' && end+1 < len(f.text) && lower(f.text[end+1]) {
		return true // a file's name: app.5f3c...e1.js
	}
	return isSum(run) || hasUUID(run)
}
