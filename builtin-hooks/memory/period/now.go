package period

import "strings"

// A time that is counted from today, such as the next two weeks or the rest of the day, ends a fact that
// tells how something stands now. In what is done again and again it is another one each time, or says for
// which time something is made: the order list is printed for the next day.

const (
	// and words before what it stands in: on hold, in force, under repair.
	standsIn = " on in under "
	stands   = " hold leave holiday holidays vacation duty call sick parental paternity maternity strike loan display force effect use quarantine maintenance repair repairs construction review embargo tour site charge training power water heating "
	being    = " is are am be been being s re m "
	staying  = " stay stays staying remain remains "
	// What is asked for now.
	asked = " use keep leave avoid please don do skip freeze pause block hold expect ignore treat "
	// What tells of each of its kind.
	ofEach = " each every any all whenever when if once who whoever whatever daily nightly hourly weekly monthly usually always "
)

// standing are words of how something stands, behind "is" and its like.
var standing = strings.Fields(`frozen closed shut off away blocked paused muted silenced locked disabled suspended unavailable down offline out empty dark banned forbidden prohibited cancelled canceled halted stopped
		limited restricted reserved rented open free live valid ill sick busy absent quiet silent broken read unmanned unstaffed unreachable inaccessible unheated home abroad gone here back sealed fenced
		dead idle required mandatory overloaded flooded barred excluded exempt on-site onsite remote parked quarantined deactivated inactive active throttled capped pinned evacuated`)

// now reports whether the words before a time that is counted from today, or behind one that stands first,
// tell how something stands now, of which that time is the end. The time is from i to next; loose says that
// it is told by itself that it is this one: this week.
func now(list []token, i, next int, loose bool) bool {
	from, to := bounds(list, i)
	words, ahead := wordsOf(list[from:to]), wordsOf(list[from:i])
	if i == from {
		ahead = wordsOf(list[min(next, to):to])
		for len(ahead) > 0 && ahead[0] == "," {
			ahead = ahead[1:]
		}
		return len(ahead) > 1 && !habitual(ahead[:1]) && !any(words, "each", "every", "whenever") && !may(words) && !is(list, next-2, "next", "day")
	}
	for k, w := range words {
		_, day := weekday(strings.TrimSuffix(w, "s"))
		if w == "after" && k+1 < len(words) && (!loose || among(" a an each every any ", " "+words[k+1]+" ") || plural(words[k+1])) || day && k < len(ahead) && !loose {
			return false
		}
	}
	at := state(ahead)
	switch {
	case may(words), any(words, "once", "unless"), loose && habitual(ahead), is(list, next-2, "next", "day"):
		return false
	case loose:
		return true
	}
	kind := strings.HasSuffix(ahead[0], "ed") || any(ahead[:1], "new", "a", "an") || ofMany(ahead) && any(ahead, "stay", "remain", "keep")
	return at >= 0 && !habitual(ahead[:at]) && !kind // locked accounts stay locked
}

// habitual reports whether words tell of any of a kind.
func habitual(words []string) bool {
	for _, w := range words {
		if among(ofEach+" a an ", " "+w+" ") {
			return true
		}
	}
	return false
}

// may reports whether words tell what somebody can do, and not what nobody can.
func may(words []string) bool {
	return any(words, "can", "may", "could") && !any(words, "not", "no", "nobody", "nothing", "t", "only")
}

// state is where words begin to tell how something stands, or what shall be done now; -1 if they do not.
func state(words []string) int {
	for k, w := range words {
		switch w = " " + w + " "; {
		case among(staying, w) && k > 0, among(" hold holds last lasts ", w) && k > 0 && k == len(words)-1, // the freeze holds, and no cache holds results
			among(" no nobody nothing not never cannot nowhere ", w), among(" will shall won ", w), w == " t " && k > 0 && any(words[k-1:k], "'", "’"):
			return k
		case k == 0 && among(asked, w):
			return k
		case among(being, w) && isSo(words[k+1:]):
			return k
		}
	}
	return -1
}

// isSo reports whether words behind "is" tell how something stands, or what somebody is doing.
func isSo(words []string) bool {
	for len(words) > 0 && among(" all both still now again also currently temporarily fully completely partly only ", " "+words[0]+" ") && len(words) > 1 {
		words = words[1:]
	}
	switch {
	case len(words) == 0: // the menu is for the next week
		return false
	case words[0] == "without":
		return len(words) > 1
	case among(standsIn, " "+words[0]+" ") && len(words) > 1:
		for _, w := range words[1:min(4, len(words))] {
			if among(stands, " "+w+" ") {
				return true
			}
		}
		return false
	}
	return any(words[:1], standing...) || strings.HasPrefix(words[0], "un") && strings.HasSuffix(words[0], "ed") || strings.HasSuffix(words[0], "ing") && len(words[0]) > 5
}
