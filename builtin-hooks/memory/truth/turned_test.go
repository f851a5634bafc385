package truth

import "testing"

// What is said of one direction does not take the place of what is said of the other one, and of two
// things whose parts have changed places each has its own.
// BM-TRU-03.
func TestTwoDirectionsAreTwoThings(t *testing.T) {
	t.Parallel()
	for _, p := range [][2]string{
		{"Uploads from Esrange to Kiruna go over port 7001.", "Uploads from Kiruna to Esrange go over port 7002."},
		{"The line from Perth to Oslo carries 200 Mbps.", "The line from Oslo to Perth carries 50 Mbps."},
		{"The billing service of the search team listens on 7100.", "The search service of the billing team listens on 7200."},
		{"The timeout from gateway to ledger is 5 s.", "The timeout from ledger to gateway is 30 s."},
		{"The search team keeps its mailer board in room 12.", "The mailer team keeps its search board in room 31."},
		{"Converting IQ to CSV takes 40 minutes.", "Converting CSV to IQ takes 3 minutes."},
		{"Messages from the modem to the recorder are limited to 4 KB.", "Messages from the recorder to the modem are limited to 64 KB."},
		{"Anna backs up Bob on Mondays from 9.", "Bob backs up Anna on Mondays from 14."},
		{"Replication from Postgres to Kafka lags 2 s.", "Replication from Kafka to Postgres lags 40 s."},
		{"北京到喀什的专线带宽是 200 Mbps。", "喀什到北京的专线带宽是 100 Mbps。"},
		{"The orders table of the archive database has 40 columns.", "The archive table of the orders database has 12 columns."},
		{"Switching from S-band to X-band takes 90 s.", "Switching from X-band to S-band takes 20 s."},
	} {
		t.Run(p[0], func(t *testing.T) {
			for _, pair := range [][2]string{p, {p[1], p[0]}} {
				if v := Compare(pair[0], pair[1]); v == Update || v == Same {
					t.Errorf("%q takes the place of %q: %s", pair[1], pair[0], v)
				}
			}
		})
	}
}

// Another order alone makes no other thing.
// BM-TRU-02.
func TestAnotherOrderIsNoOtherDirection(t *testing.T) {
	t.Parallel()
	for _, p := range [][2]string{
		{"The port of the gateway is 8080", "The gateway port is 9090"},
		{"Uploads from Esrange to Kiruna go over port 7001.", "Uploads from Esrange to Kiruna go over port 7002."},
		{"On Mondays Anna deploys at 9", "Anna deploys at 10 on Mondays"},
		{"The timeout from gateway to ledger is 5 s", "The timeout from gateway to ledger is 30 s"},
		{"北京到喀什的专线带宽是 200 Mbps。", "北京到喀什的专线带宽是 100 Mbps。"},
	} {
		t.Run(p[0], func(t *testing.T) {
			c := &comparison{lexicon: known(), old: Read(p[0]).said, new: Read(p[1]).said}
			if l := c.turned(); l != hardly {
				t.Errorf("%q: %d", p[1], l)
			}
		})
	}
}
