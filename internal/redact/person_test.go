package redact

import (
	"cmp"
	"fmt"
	"testing"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// What is personal goes, what only looks like it stays, and so does what stands
// around it.
// BM-SEC-05.
func TestPersons(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, memory, log string }{
		// With a mark, as is, in both.
		{"pay with 4111 1111 1111 1111, thanks", "pay with [REDACTED:card-number], thanks", "pay with [redacted], thanks"},
		{"pay with 4111\u00a01111\u00a01111\u00a01111", "pay with [REDACTED:card-number]", "pay with [redacted]"},
		{"an IBAN: DE89370400440532013000.", "an IBAN: [REDACTED:iban].", "an IBAN: [redacted]."},
		{"身份证号11010519491231002X，手机13912345678", "身份证号[REDACTED:national-id]，手机[REDACTED:phone-number]", "身份证号[redacted]，手机[redacted]"},
		{"身份证有效期截止之前请核对 110105 19491231 0021", "身份证有效期截止之前请核对 [REDACTED:national-id]", "身份证有效期截止之前请核对 [redacted]"},
		{"phones: 0171 2345678, 0172 3456789", "phones: [REDACTED:phone-number], [REDACTED:phone-number]", "phones: [redacted], [redacted]"},
		{"name,ssn,phone\nJane,536-90-4399,415-555-0123\nBob,219-09-9999,415-555-0199\n", "name,ssn,phone\nJane,[REDACTED:national-id],[REDACTED:phone-number]\nBob,[REDACTED:national-id],[REDACTED:phone-number]\n", "name,ssn,phone\nJane,[redacted],[redacted]\nBob,[redacted],[redacted]\n"},
		{"| 姓名 | 手机号 |\n|---|---|\n| 李雷 | 13912345678 |", "| 姓名 | 手机号 |\n|---|---|\n| 李雷 | [REDACTED:phone-number] |", "| 姓名 | 手机号 |\n|---|---|\n| 李雷 | [redacted] |"},
		{"home address: 12 Elm Street, Springfield\nnext", "home address: [REDACTED:address]\nnext", "home address: [redacted]\nnext"},
		// What the log keeps.
		{"login: jane@example.org / see the safe", "login: [REDACTED:email] / see the safe", ""},
		// What stays.
		{"Author: Jane Doe <jane@example.org>", "", ""},
		{"Co-authored-by: Jane <jane@example.org>\nReported-by: bob@example.org", "", ""},
		{"order_id: 4111111111111111", "", ""},
		{"GET /orders/4111111111111111", "", ""},
		{"订单号 4111111111111111", "", ""},
		{"0.4111111111111111", "", ""},
		{"4111-1111-1111-1111-1111", "", ""},
		{"00000000: 4111 1111 1111 1111 6c6f 2057  A...", "", ""},
		{"@@ -1 +1 @@\n-1\n+14155550123\n", "", ""},
		{"1e+14155550123", "", ""},
		{"iPhone 13912345678", "", ""},
		{"13912345678", "", ""},
		{"536-90-4399", "", ""},
		{"phone_id: 536904399", "", ""},
		{"the phone at 192.168.178.24:5060", "", ""},
		{"phone 2024-05-01 10:30", "", ""},
	} {
		t.Run(fmt.Sprintf("text %q", c.text), func(t *testing.T) {
			for p, want := range map[Policy]string{Memory: c.memory, Log: c.log} {
				want = cmp.Or(want, c.text)
				if got := p.Text(c.text); got != want {
					t.Errorf("policy %d: %q\n became %q\nand not %q", p, c.text, got, want)
				}
			}
		})
	}
}

// In JSON the name of a member is the word before the number.
func TestPersonsInJSON(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ in, want string }{
		{`{"phone":"0171 2345678"}`, `{"phone": "[REDACTED:phone-number]"}`},
		{`{"phones":["0171 2345678","0172 3456789"]}`, `{"phones": ["[REDACTED:phone-number]", "[REDACTED:phone-number]"]}`},
		{`{"ssn":536904399}`, `{"ssn": "[REDACTED:national-id]"}`},
		{`{"mobileNumber":13912345678,"order":4111111111111111}`, `{"mobileNumber": "[REDACTED:phone-number]", "order": 4111111111111111}`},
		{`{"orderId":"4111111111111111","pan":"4111111111111111"}`, `{"orderId": "4111111111111111", "pan": "[REDACTED:card-number]"}`},
		{`{"homeAddress":"12 Elm Street"}`, `{"homeAddress": "[REDACTED:address]"}`},
		{`{"username":"jane@example.org","author":"jane@example.org"}`, `{"username": "[REDACTED:email]", "author": "jane@example.org"}`},
	} {
		t.Run(c.in, func(t *testing.T) {
			if got, changed := Memory.JSON(protocol.Raw(c.in), nil); string(got) != c.want || !changed {
				t.Errorf("%s\n became %s\nand not %s", c.in, got, c.want)
			}
		})
	}
}

// The checks of numbers are those of their makers: each takes one that is
// published, and none that is off by a digit.
func TestChecks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, number string
		check        func(string) bool
	}{
		{"luhn", "79927398713", luhn},
		{"mod 97", "GB29NWBK60161331926819", mod97},
		{"resident", "11010519491231002X", resident},
		{"verhoeff", "2363", verhoeff},
		{"steuer", "86095742719", steuer},
		{"hkid", "A1234563", hkid},
		{"cpf", "52998224725", cpf},
		{"dni", "12345678Z", dni},
		{"fiscal", "RSSMRA85T10A562S", fiscal},
	} {
		t.Run(c.name, func(t *testing.T) {
			if !c.check(c.number) {
				t.Errorf("%s does not take %s", c.name, c.number)
			}
			for i := range c.number {
				if !digitByte(c.number[i]) {
					continue
				}
				off := c.number[:i] + string('0'+(c.number[i]-'0'+1)%10) + c.number[i+1:]
				if c.check(off) {
					t.Errorf("%s takes %s", c.name, off)
				}
			}
		})
	}
}
