package workspace

import (
	"crypto/md5"
	"encoding/hex"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/agents-hooks/agents-hooks/internal/text"
)

// RootID is the id of the root node of every workspace, and the name of its
// folder.
const RootID = "root"

// NewID is an id such as ws-mjb65az5-0wcjuu: a kind (ws, node, memo), the
// milliseconds of now and six random places, in base 36.
func NewID(kind string, now time.Time, random uint64) string {
	const places = 36 * 36 * 36 * 36 * 36 * 36
	tail := strconv.FormatUint(random%places, 36)
	return kind + "-" + strconv.FormatInt(now.UnixMilli(), 36) + "-" + strings.Repeat("0", 6-len(tail)) + tail
}

// ShortID is the part of an id that names of folders end in.
func ShortID(id string) string {
	for _, kind := range []string{"ws-", "node-", "memo-"} {
		if rest, ok := strings.CutPrefix(id, kind); ok {
			id = rest
			break
		}
	}
	short, _, _ := strings.Cut(id, "-")
	return short
}

// DirName is the name of the folder for a name and an id: what file systems do
// not like becomes "_", white space one space, at most 50 places of UTF-16 (the
// original counts so), then the short id.
func DirName(name, id string) string {
	if id == RootID {
		return RootID
	}
	clean := strings.Map(func(r rune) rune {
		switch {
		case strings.ContainsRune(`/\:*?"<>|`, r), r < ' ' && !strings.ContainsRune("\t\n\v\f\r", r):
			return '_'
		}
		return r
	}, name)
	clean = cutUTF16(text.OneLine(clean), 50)
	// A name that begins with a dot would be hidden, and "archive_…" is not the
	// archive: the short id sees to that.
	return strings.TrimRight(clean, " ") + "_" + ShortID(id)
}

func cutUTF16(s string, most int) string {
	n := 0
	for i, r := range s {
		if n += utf16.RuneLen(r); n > most {
			return s[:i]
		}
	}
	return s
}

// RulesHash tells whether somebody knows the rules as they are: the first eight
// hex digits of the MD5 of the rules, joined by newlines; "" if there are none.
// It guards against nothing but forgetting.
func RulesHash(rules []string) string {
	if len(rules) == 0 {
		return ""
	}
	sum := md5.Sum([]byte(strings.Join(rules, "\n")))
	return hex.EncodeToString(sum[:4])
}

// Stamp is a time as JSON files and front matter have it.
func Stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// ParseStamp reads such a time, or any other of RFC 3339; zero if it is none.
func ParseStamp(s string) time.Time {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return time.Time{}
	}
	return t
}
