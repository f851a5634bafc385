package period

import "strings"

// pieces are the statements of a text, from one token to another: its sentences, and of those that have
// several subjects, each with a verb, the parts. A bound is from i to next.
func pieces(list []token, i, next int) (out [][2]int) {
	for from := 0; from < len(list); {
		to := from + len(sentence(list, from))
		start, said := from, false // of the statement that is read, and whether it has its verb
		for at := from; at < to; {
			end := at
			for end < to && (end >= i && end < next || !parts(list, end)) {
				end++
			}
			begin := at
			if i == at {
				begin = min(next, end)
			}
			told := at == from && at < i && i < end && end-at > next-i+1 // be it without a subject: use gate B until Friday
			says := told || states(wordsOf(list[begin:end]))
			both := i == from && is(list, at-1, "and") && !is(list, at-2, ",") // until Friday A is shut and B is open
			if says && said && !both {
				out = append(out, [2]int{start, at})
				start = at
			}
			said = said || says
			at = end + 1
		}
		out = append(out, [2]int{start, to})
		from = to + 1
	}
	return out
}

// parts reports whether a token may stand between two statements of a sentence.
func parts(list []token, i int) bool {
	switch list[i].text {
	case ",", "，", "(", "（", ")", "）", "—", "–", "and", "but", "while", "whereas", "yet", "&":
		return true
	}
	return false
}

func wordsOf(list []token) (words []string) {
	for _, t := range list {
		words = append(words, t.text)
	}
	return words
}

const (
	subordinate = " if when whenever once since because as after before until till although though unless where starting beginning of due like except than which who whose whom that what how why effective apart instead according while "
	// What begins with these may be said before a statement: on Mondays Ola leads the team.
	ahead = " for from on in at by during with without to "

	auxiliaries  = " is are was were am be been has have had does do did will shall must may might can could should would isn aren wasn weren hasn haven hadn doesn don didn won cannot needs need "
	pronouns     = " we i they you he she it everybody everyone nobody somebody someone nothing everything "
	determiners  = " the a an our my your their his her its this that these those all some any no each every both two three four five six seven eight nine ten many few most old new other "
	prepositions = " of for in from on at with to by and or as into onto over under "
	// What is done, where the form is no plural of a thing as well.
	doing = " runs goes comes lives works belongs depends points talks stays listens sits serves ends begins starts opens closes sells makes takes gives gets keeps says knows leads owns uses reads writes sends pays speaks remains lies stands moves happens becomes holds handles covers replies joins leaves signs reviews "
	// and what many do.
	many = " run go come live work belong depend point talk stay listen sit serve end begin start open close sell make take give get keep say know lead own use read write send pay speak remain lie stand move happen become hold handle cover reply join leave sign review deploy ship store host meet need want like buy build ask "
)

// states reports whether words have a subject with a verb, and depend on no others.
func states(words []string) bool {
	if len(words) > 2 && among(ahead, " "+words[0]+" ") {
		words = words[2:]
	}
	if len(words) < 2 || among(subordinate+ahead, " "+words[0]+" ") {
		return false
	}
	for k, w := range words[1:] {
		before := words[k]
		switch {
		case among(auxiliaries, " "+w+" "), among(pronouns, " "+before+" ") && w[0] >= 'a' && w[0] <= 'z':
			return true
		case among(doing, " "+w+" ") && !among(determiners, " "+before+" "):
			return true
		case among(many, " "+w+" ") && (plural(before) || among(pronouns, " "+before+" ")):
			return true
		case wasDone(words, k+1):
			return true
		case plural(w) && w != "always" && w != "sometimes" && k+2 < len(words) && !among(determiners, " "+before+" ") && !among(prepositions, " "+before+" ") && !plural(before) &&
			!among(prepositions, " "+words[k+2]+" ") && !among(auxiliaries, " "+words[k+2]+" ") && !among(doing, " "+words[k+2]+" ") && !among(many, " "+words[k+2]+" ") && strings.Trim(words[k+2], "abcdefghijklmnopqrstuvwxyz") == "" && month(words[k+2]) == 0:
			return true // sells rope
		}
	}
	return false
}
