package redact

import (
	"strings"
	"testing"
)

// heldOutPersons were written when the code stood, in surroundings that it was not
// made for. Of the first part, as found, memory caught 35 of 40 and the log, which
// keeps addresses of e-mail, 34 of 38; neither had a false alarm in 40. What it showed
// was mended before the second was written: of that memory caught 35 of 45, with 8 false
// alarms in 44.
var heldOutPersons = []surrounded{
	// Sentences.
	{"The customer reads out 5555 5555 5555 4444 and wants a refund.", "5555 4444"},
	{"Card ending? No, she typed the full one (378282246310005) into the chat.", "378282246310005"},
	{"Charge it to 6011-1111-1111-1117 exp 11/29 please", "6011-1111"},
	{"Überweise die Kaution bitte auf DE02 1203 0000 0000 2020 51, Verwendungszweck Miete", "1203 0000"},
	{"Refunds go to GB33BUKB20201555555555 from Monday", "GB33BUKB"},
	{"My social is 219-09-9999, in case HR asks.", "219-09-9999"},
	{"Her passport (number 533380006) expires in May", "533380006"},
	{"You can reach Sarah on her mobile: 07911 123456.", "07911 123456"},
	{"ping me on +44 20 7946 0958 if the deploy breaks", "7946 0958"},
	{"on-call phone tonight => (212) 555-0187", "555-0187"},
	{"Meine Handynummer lautet 0151/23456789", "23456789"},
	{"Steuerliche Identifikationsnummer 47036892816 für den Lohnlauf", "47036892816"},
	{"Le numéro de sécu de Paul : 1 84 12 76 451 089 46", "451 089"},
	{"Il mio codice fiscale è RSSMRA85T10A562S", "RSSMRA85"},
	{"National Insurance: QQ 12 34 56 C was on the payslip", "12 34 56"},
	{"customer aadhaar no: 2341-2341-2346 verified", "2341-2341"},
	{"Meu CPF é 529.982.247-25, pode emitir a nota", "529.982"},
	{"We mailed the laptop to his home address, 742 Evergreen Terrace, Springfield", "742 Evergreen"},
	{"Sign in with bob.smith+test@example.org and the password in the vault", "bob.smith+test"},
	{"creds for staging: qa.lead@example.org / see 1Password, password rotated", "qa.lead"},
	// Chinese.
	{"客户张伟的身份证是 440307198802290011 的复印件丢了", "440307198802290011"},
	{"用户反馈：我手机号换成13800138000了，收不到验证码", "13800138000"},
	{"请联系王工，电话 0571-88156789 转 8012", "88156789"},
	{"把钱打到招行卡 6225 8801 3706 6867 吧", "3706 6867"},
	{"他的护照号是EA1234567，签证下周到期", "EA1234567"},
	{"测试账号的实名信息：李雷，33010619921104243X", "33010619921104243X"},
	{"快递寄到家庭住址：北京市海淀区中关村大街27号1101室", "中关村大街"},
	// JSON.
	{`{"payer":{"name":"A","cardNumber":"4242424242424242","cvc":"314"}}`, "4242424242424242"},
	{`{"contact":{"type":"mobile","value":"+61 412 345 678"}}`, "412 345 678"},
	{`{\"idCard\":\"11010519491231002X\",\"ok\":true}`, "11010519491231002X"},
	{`"phoneNumbers": [ { "type": "home", "number": "212 555-1234" } ]`, "555-1234"},
	{`{"beneficiary_iban":"FR1420041010050500013M02606"}`, "FR1420041010"},
	// CSV and tables.
	{"id;name;ssn\n1;Doe, Jane;219-09-9999\n2;Roe, Rick;536-90-4399\n", "536-90-4399"},
	{"\"Name\",\"Telephone\",\"City\"\n\"Doe, Jane\",\"020 7946 0018\",\"London\"\n", "7946 0018"},
	{"user\tmobile_no\tplan\nlilei\t13912345678\tpro\n", "13912345678"},
	{"| who | passport no | seat |\n|-----|-------------|------|\n| Kim | M12345678 | 4A |", "M12345678"},
	{"Jane Doe,jane@example.org,+14155552671,5105105105105100", "5105105105105100"},
	// Chat and logs.
	{"> [10:32] bob: its 415.555.0132 call me 415.555.0132", "call me 415.555.0132"},
	{"WARN sms.gateway: undeliverable to=+8613912345678 code=21211", "13912345678"},
	{"DEBUG checkout: card=4000056655665556&exp=0927", "4000056655665556"},
	// The second part.
	{"Bill Jane's Visa 4539 5787 6362 1486 monthly.", "4539 5787 6362 1486"},
	{"kk: 4916338506082832 / 08-27 / 991", "4916338506082832"},
	{"card: \"3714-496353-98431\"", "3714-496353-98431"},
	{"cc=30569309025904&zip=10001", "30569309025904"},
	{"银联卡号 6222 0212 3456 7890 3 已绑定", "6222 0212 3456 7890 3"},
	{"IBAN = NL91 ABNA 0417 1643 00", "NL91 ABNA 0417 1643 00"},
	{"\"iban\": \"de89 3704 0044 0532 0130 00\"", "de89 3704 0044 0532 0130 00"},
	{"Kontoverbindung: CH93 0076 2011 6238 5295 7", "CH93 0076 2011 6238 5295 7"},
	{"SSN#: 078-05-1120", "078-05-1120"},
	{"employee_ssn='536904399'", "536904399"},
	{"Social Security No: 536 90 4399", "536 90 4399"},
	{"social-security-number: 536-90-4399", "536-90-4399"},
	{"身份证号码(18位)：110105194912310021", "110105194912310021"},
	{"证件号码：11010519491231002x", "11010519491231002x"},
	{"护照 G12345678 过期了", "G12345678"},
	{"passportNumber: \"X1234567\"", "X1234567"},
	{"Passport #: 910239248", "910239248"},
	{"Tel: +49 (0)30 901820", "+49 (0)30 901820"},
	{"T: +1 415.555.2671 ext. 12", "+1 415.555.2671"},
	{"Phone (home): 415-555-0132", "415-555-0132"},
	{"phone_number: 5551234567", "5551234567"},
	{"\"tel\":\"010-88886666\"", "010-88886666"},
	{"whatsapp +5511912345678", "+5511912345678"},
	{"联系人：韩梅梅 139 1234 5678（手机）", "139 1234 5678"},
	{"手机号：139-1234-5678", "139-1234-5678"},
	{"我的微信同手机号 13912345678", "13912345678"},
	{"打我电话13912345678", "13912345678"},
	{"<phone>020 7946 0018</phone>", "020 7946 0018"},
	{"tel:+442079460018", "+442079460018"},
	{"href=\"tel:4155550132\"", "4155550132"},
	{"mobile phone of the landlord is 0171-2345678", "0171-2345678"},
	{"driver's licence: S123-4567-8901", "S123-4567-8901"},
	{"N.I. number: AB123456C", "AB123456C"},
	{"Aadhaar Card Number 234123412346", "234123412346"},
	{"UAN/PAN ABCPE1234F on file", "ABCPE1234F"},
	{"Steuer-Identifikationsnummer: 86 095 742 719", "86 095 742 719"},
	{"DNI: 12.345.678-Z", "12.345.678-Z"},
	{"PESEL pracownika: 92071312342", "92071312342"},
	{"BSN van klant: 111222333", "111222333"},
	{"username: \"svc.jane@corp.example.com\"", "svc.jane@corp.example.com"},
	{"log in with jane@example.org and hunter2", "jane@example.org"},
	{"Wohnhaft: Ulmenweg 12, 10115 Berlin", "Ulmenweg 12, 10115 Berlin"},
	{"billing_address: \"12 Elm Street, Apt 4\"", "12 Elm Street, Apt 4"},
}

// stillKept are those that stay: a colon behind an address is that of a clone's URL
// as well, and what follows a line that ends with a colon may be anything.
var stillKept = []string{
	"jane@example.org:Sup3rS3cret",
	"shipping address:\n12 Elm Street",
}

// harmlessPersons look like personal data and are none.
var harmlessPersons = []string{
	"Order 4539578763621486 was shipped twice",
	"order no. 62220212345678903",
	"start=1700000000000 end=1700000360000",
	"2024-05-01T10:00:00.123456Z",
	"ts=1714557600123456789 level=info",
	"550e8400-e29b-41d4-a716-446655440000",
	"41111111-1111-1111-1111-111111111111",
	"sha1 5105105105105100510510510510510051051051",
	"sha256:4111111111111111411111111111111141111111111111114111111111111111",
	"build 20240501.1234567",
	"app-release-4242424242424242.apk",
	"v4.242.424.2424",
	"Chrome/124.0.6367.118 Mobile Safari/537.36",
	"Mobile/15E148 Safari/604.1",
	"lat=52.5200066, lng=13.4049540",
	"geo:37.786971,-122.399677",
	"-33.8688197 151.2092955",
	"ISBN 978-3-16-148410-0",
	"isbn: 9780306406157",
	"EAN 4006381333931",
	"UPS 1Z999AA10123456784",
	"tracking number 9400 1000 0000 0000 0000 00",
	"运单号 SF1234567890123",
	"快递单号：75312345678901",
	"2001:0db8:85a3:0000:0000:8a2e:0370:7334",
	"fe80::4111:1111:1111:1111",
	"ports: 8080 8443 9090 9443 3000 5432",
	"allowed 4000 4001 4002 4003 4004 4005",
	"the phone book has 1234567 entries",
	"tel aviv 2024-05-01",
	"mobile breakpoints: 320 480 768 1024",
	"cell 12 of 4800, phone 3",
	"snowflake 1234567890123456789",
	"0x4242424242424242",
	"seed = 4539578763621486",
	"MAC 41:11:11:11:11:11",
	"size: 4294967296 bytes, inode 622202123456",
	"IMEI 356938035643809",
	"From: Linus <torvalds@example.org> Date: Mon, 6 May 2024",
	"@@ -1024,7 +1024,9 @@ func main() {\n+16502530000,",
	// The second part.
	"PAN-OS 10.2.3 sin(3.14159265358)",
	"const x = Math.sin(130692544)",
	"cos 130692544 and sin 1306925440",
	"phone: +49",
	"call me maybe 20240501",
	"tin: 3 days, mobile: true, tel: null",
	"mobile_sdk_version: 20240501",
	"card_id: 4012888888816",
	"cardinality 4012888888881881",
	"dashboard card 1234567890123456",
	"user: jane@example.org opened #4242",
	"login page broken, ask jane@example.org",
	"cc: jane@example.org, bob@example.org",
	"CC 4242 build 4243 4244",
	"bsn 20240501 snapshot",
	"nie wieder 12345678",
	"faxes 1200, phone bills 3400, cells 10000000",
	"cell 0x1234567 at row 1234567",
	"handy 1234567 tips",
	"shipping address field has 3 lines",
	"home address is at 0x7fff1234",
	"shipping address: 0x7fff12345678 in heap 3",
	"base address: 12 MB above",
	"phone_hash: 1234567890",
	"telemetry 12345678 events",
	"tel 8080",
	"passport 20240501 build",
	"passport@0.7.0 express 4.18.2",
	"passport strategy 12345678",
	"account 123456789012 in us-east-1",
	"aws account number 123456789012",
	"national id 12",
	"licence 2.0 driver license 20240501",
	"微信支付订单 4200001234202405011234567890",
	"手机端版本 20240501",
	"手机 20240501 批次",
	"电话 1234",
	"证件 12345",
	"+1700000000 -1700000000",
	"UTC+08001234567",
	"diff: +20240501120000 lines",
	"CVE-2024-12345678",
	"RFC 4111 1111 1111",
	"nir 1234567 spectrum",
}

func TestHeldOutPersons(t *testing.T) {
	t.Parallel()
	for p := range policies {
		all, caught, alarms := 0, 0, 0
		for _, h := range heldOutPersons {
			if !policies[p].mails && (strings.Contains(h.secret, "@") || strings.Contains(h.text, h.secret+"@")) {
				continue // it keeps these
			}
			all++
			if got := Policy(p).Text(h.text); strings.Contains(got, h.secret) {
				t.Errorf("policy %d: missed: %q", p, got)
				continue
			}
			caught++
		}
		for _, text := range stillKept {
			if got := Policy(p).Text(text); got != text {
				t.Errorf("policy %d makes %q of %q by now", p, got, text)
			}
		}
		for _, text := range harmlessPersons {
			if got := Policy(p).Text(text); got != text {
				t.Errorf("policy %d: false alarm: %q of %q", p, got, text)
				alarms++
			}
		}
		t.Logf("policy %d: %d of %d caught, %d false alarms in %d", p, caught, all, alarms, len(harmlessPersons))
	}
}
