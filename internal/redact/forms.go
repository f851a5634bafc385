package redact

import (
	"strings"
	"time"
)

// A saidForm is how a number looks that a word before it says to be one. A sure
// one need not stand right behind the word.
type saidForm struct {
	name, expr, seps string
	sure             bool
	check            func(*figure) bool
}

var saidForms = [...]saidForm{
	{"card", `\d{19}`, " -", true, func(f *figure) bool { return luhn(f.text()) }},
	{"card", `\d{18}`, " -", true, func(f *figure) bool { return luhn(f.text()) }},
	{"card", `\d{17}`, " -", true, func(f *figure) bool { return luhn(f.text()) }},
	{"card", `\d{16}`, " -", true, func(f *figure) bool { return luhn(f.text()) }},
	{"card", `\d{15}`, " -", true, func(f *figure) bool { return luhn(f.text()) }},
	{"card", `\d{14}`, " -", false, func(f *figure) bool { return luhn(f.text()) }},
	{"card", `\d{13}`, " -", false, func(f *figure) bool { return luhn(f.text()) }},
	{"card", `\d{12}`, " -", false, func(f *figure) bool { return luhn(f.text()) }},
	{"account", `\d{6,20}`, " -", false, func(f *figure) bool { return f.n >= 8 || f.parts == 1 }},
	{"account", `[A-Z]{2}\d{2}[A-Z0-9]{11,30}`, " -", false, func(f *figure) bool { return mod97(f.text()) }},
	{"number", `\d{7,11}`, " -", false, func(f *figure) bool { return f.parts == 1 }}, // twelve are a cloud's
	{"iban", `[A-Z]{2}\d{2}[A-Z0-9]{11,30}`, " -", false, func(f *figure) bool { return mod97(f.text()) }},
	{"ssn", `\d{9}`, " -", true, ssn},
	{"sin", `\d{9}`, " -", true, func(f *figure) bool { return luhn(f.text()) && f.b[0] != '0' && grouped(f, 3, 3, 3) }},
	{"nino", `[A-Z]{2}\d{6}[A-D]`, " ", true, func(*figure) bool { return true }},
	{"nhs", `\d{10}`, " -", true, func(f *figure) bool {
		return weighed(f.text(), 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1) && grouped(f, 3, 3, 4)
	}},
	{"aadhaar", `[2-9]\d{11}`, " -", true, func(f *figure) bool { return verhoeff(f.text()) && grouped(f, 4, 4, 4) }},
	{"pan", `[A-Z]{3}[ABCFGHLJPT][A-Z]\d{4}[A-Z]`, "", true, func(*figure) bool { return true }},
	{"passport", `[A-Z0-9]{6,10}`, "", false, func(f *figure) bool { return f.digits() >= 5 && !date(f.text()) }},
	{"licence", `[A-Z0-9]{7,18}`, " -", false, func(f *figure) bool { return f.digits() >= 5 && !date(f.text()) }},
	{"steuer", `[1-9]\d{10}`, " /", true, func(f *figure) bool { return steuer(f.text()) }},
	{"resident", `\d{17}[\dX]`, " -", true, func(f *figure) bool { return date(f.text()[6:14]) }},
	{"resident", `[1-8]\d{14}`, " -", false, func(f *figure) bool { return date("19" + f.text()[6:12]) }},
	{"twid", `[A-Z][1289A-D]\d{8}`, "", true, func(*figure) bool { return true }},
	{"hkid", `[A-Z]{1,2}\d{6}[0-9A]`, "()", true, func(f *figure) bool { return hkid(f.text()) }},
	{"cpf", `\d{11}`, ".-", true, func(f *figure) bool { return cpf(f.text()) }},
	{"pesel", `\d{11}`, "", true, func(f *figure) bool { return weighed(f.text(), 10, 1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1) }},
	{"bsn", `\d{9}`, " .", true, func(f *figure) bool { return weighed(f.text(), 11, 9, 8, 7, 6, 5, 4, 3, 2, 10) }},
	{"nir", `[12]\d{14}`, " ", true, func(f *figure) bool { return nir(f.text()) }},
	{"dni", `\d{8}[A-Z]`, " -.", true, func(f *figure) bool { return dni(f.text()) }},
	{"dni", `[XYZ]\d{7}[A-Z]`, " -", true, func(f *figure) bool { return dni(string(f.b[0]-'X'+'0') + f.text()[1:]) }},
	{"personnummer", `[12]\d{11}`, " -+", false, func(f *figure) bool { return luhn(f.text()[2:]) }},
	{"personnummer", `\d{10}`, " -+", false, func(f *figure) bool { return luhn(f.text()) }},
	{"korea", `\d{6}[0-8]\d{6}`, " -", true, func(f *figure) bool { return date("20"+f.text()[:6]) && grouped(f, 6, 7) }},
	{"mynumber", `\d{12}`, " -", true, func(f *figure) bool { return myNumber(f.text()) }},
	{"tfn", `\d{9}`, " ", true, func(f *figure) bool { return weighed(f.text(), 11, 1, 4, 3, 7, 5, 8, 6, 9, 10) }},
	{"ahv", `756\d{10}`, " .", true, func(f *figure) bool { return weighed(f.text(), 10, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1) }},
	{"curp", `[A-Z]{4}\d{6}[HMX][A-Z]{5}[A-Z0-9]\d`, "", true, func(*figure) bool { return true }},
	{"fiscal", `[A-Z]{6}\d{2}[A-Z]\d{2}[A-Z]\d{3}[A-Z]`, " ", true, func(f *figure) bool { return fiscal(f.text()) }},
	{"tax", `\d{9}`, " -", false, func(f *figure) bool { return grouped(f, 3, 2, 4) || f.laid(2, 7) }},
	{"tax", `[1-9]\d{10}`, " /", false, func(f *figure) bool { return steuer(f.text()) }},
	{"national", `[A-Z0-9]{6,20}`, "-./", false, func(f *figure) bool { return f.digits() >= 6 && !date(f.text()) }},
}

// grouped reports whether a number stands in these groups, or in one.
func grouped(f *figure, groups ...int) bool { return f.parts == 1 || f.laid(groups...) }

func (f *figure) digits() (n int) {
	for _, c := range f.b[:f.n] {
		if digitByte(c) {
			n++
		}
	}
	return n
}

// ssn is a number of the Social Security Administration, or of the tax office for
// who has none (9xx).
func ssn(f *figure) bool {
	v := f.text()
	return (f.near && f.parts == 1 || f.laid(3, 2, 4)) && v[:3] != "000" && v[:3] != "666" && v[3:5] != "00" && v[5:] != "0000"
}

// luhn is the check of payment cards: ISO/IEC 7812.
func luhn(s string) bool {
	sum := 0
	for i := range len(s) {
		d := int(s[len(s)-1-i] - '0')
		if i%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0
}

// placeholder reports whether all digits are the same but for the last, which
// somebody made fit.
func placeholder(s string) bool { return strings.Trim(s[:len(s)-1], s[:1]) == "" }

// mod97 is the check of an IBAN: ISO 7064.
func mod97(s string) bool {
	rest := 0
	for i := range len(s) {
		if c := s[(i+4)%len(s)]; digitByte(c) {
			rest = (rest*10 + int(c-'0')) % 97
		} else {
			rest = (rest*100 + int(c-'A') + 10) % 97
		}
	}
	return rest == 1
}

// weighed reports whether the digits, each times its weight, add up to a multiple.
func weighed(s string, modulus int, weights ...int) bool {
	sum := 0
	for i, w := range weights {
		sum += w * int(s[i]-'0')
	}
	return sum%modulus == 0
}

// date reports whether eight digits are a day of these times.
func date(s string) bool {
	if len(s) != 8 || strings.Trim(s, "0123456789") != "" {
		return false
	}
	_, err := time.Parse("20060102", s)
	return err == nil && s >= "1890" && s < "2100"
}

// resident is the check of Chinese resident identity numbers: GB 11643.
func resident(s string) bool {
	if !listedIn(" 11 12 13 14 15 21 22 23 31 32 33 34 35 36 37 41 42 43 44 45 46 50 51 52 53 54 61 62 63 64 65 71 81 82 83 ", s[:2]) || !date(s[6:14]) {
		return false
	}
	sum := 0
	for i, w := range [...]int{7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2} {
		sum += w * int(s[i]-'0')
	}
	return "10X98765432"[sum%11] == s[17]
}

// verhoeff is the check of Aadhaar: multiplication in the group of a pentagon,
// each digit put in the place that its position says.
func verhoeff(s string) bool {
	c := 0
	for i := range len(s) {
		d := int(s[len(s)-1-i] - '0')
		for range i % 8 {
			d = int("1576283094"[d] - '0')
		}
		c = pentagon(c, d)
	}
	return c == 0
}

// pentagon is the product of two of the ten symmetries of a pentagon: turns are 0
// to 4, turns behind a reflection 5 to 9.
func pentagon(a, b int) int {
	switch {
	case a < 5 && b < 5:
		return (a + b) % 5
	case a < 5:
		return 5 + (a+b)%5
	case b < 5:
		return 5 + (a-b)%5
	}
	return (a - b + 5) % 5
}

// steuer is the check of German tax ids: ISO 7064, modulus 11, 10.
func steuer(s string) bool {
	p := 10
	for i := range len(s) - 1 {
		sum := (int(s[i]-'0') + p) % 10
		if sum == 0 {
			sum = 10
		}
		p = sum * 2 % 11
	}
	return (11-p)%10 == int(s[len(s)-1]-'0')
}

// hkid is the check of identity cards of Hong Kong: of modulus 11, where a blank
// stands before a single letter.
func hkid(s string) bool {
	sum, weight := 0, len(s)
	if len(s) == 8 {
		sum = 36 * 9
	}
	for i := range len(s) {
		d := int(s[i] - '0')
		if letterByte(s[i]) {
			d = int(s[i]-'A') + 10
		}
		sum += d * weight
		weight--
	}
	return sum%11 == 0
}

// cpf is the check of Brazil's register of persons.
func cpf(s string) bool {
	if placeholder(s) {
		return false
	}
	for n := 9; n <= 10; n++ {
		sum := 0
		for i := range n {
			sum += (n + 1 - i) * int(s[i]-'0')
		}
		if sum*10%11%10 != int(s[n]-'0') {
			return false
		}
	}
	return true
}

// nir is the check of the French register of persons.
func nir(s string) bool {
	n, key := 0, int(s[13]-'0')*10+int(s[14]-'0')
	for i := range 13 {
		n = (n*10 + int(s[i]-'0')) % 97
	}
	return 97-n == key
}

// dni is the check of Spanish identity numbers.
func dni(s string) bool {
	n := 0
	for i := range len(s) - 1 {
		n = (n*10 + int(s[i]-'0')) % 23
	}
	return "TRWAGMYFPDXBNJZSQVHLCKE"[n] == s[len(s)-1]
}

// myNumber is the check of Japan's numbers of persons.
func myNumber(s string) bool {
	sum := 0
	for i, w := range [...]int{6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2} {
		sum += w * int(s[i]-'0')
	}
	if sum %= 11; sum <= 1 {
		return s[11] == '0'
	}
	return 11-sum == int(s[11]-'0')
}

// fiscal is the check of Italian tax codes.
func fiscal(s string) bool {
	const odd = "BAKPLCQDREVOSFTGUHMINJWZYX" // what counts 0, 1 … 25 in an odd place
	sum := 0
	for i := range 15 {
		n := int(s[i] - 'A')
		if digitByte(s[i]) {
			n = int(s[i] - '0')
		}
		if i%2 == 0 {
			n = strings.IndexByte(odd, byte('A'+n))
		}
		sum += n
	}
	return sum%26 == int(s[15]-'A')
}
