package truth_test

import (
	"testing"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/truth"
)

// Two that fill one slot of a thing take each other's place by the rules alone in whatever words:
// the hour of a meeting, the limit of a size, the tool that is used, who answers for it, a ban
// that is lifted, and what is denied by its name.
// BM-TRU-02.
func TestOneSlotInOtherWords(t *testing.T) {
	t.Parallel()
	for _, p := range [][2]string{
		{"The weekly sync starts at 14:00", "The weekly sync is at 15:00"},
		{"站会 9:30 开始", "站会在 10:00"},
		{"Uploads may be at most 10 MB", "Uploads may be up to 25 MB"},
		{"Max connections per pod is 100", "Up to 200 connections per pod are allowed"},
		{"Passwords have at most 64 characters", "The maximum password length is 128 characters"},
		{"附件上限为 20 MB", "附件最大 50 MB"},
		{"上传文件最大 10 MB", "上传文件不超过 25 MB"},
		{"depot rejects recordings larger than 500 MB", "Recordings of up to 2 GB are accepted by depot"},
		{"Our alerting service is called zimbel", "zimbel has been renamed nachtigal; install quill-nachtigal"},
		{"The crane lifts at most 20 t", "The crane lifts at most 25 tons"},
		{"吊车限重 20 吨", "吊车限重 25 吨"},
		{"The queue runs on RabbitMQ", "The queue uses NATS"},
		{"Search uses Elasticsearch", "Search is powered by OpenSearch"},
		{"Alice maintains the parser", "The parser is maintained by Bob"},
		{"The parser is maintained by Bob", "Alice maintains the parser"},
		{"王小明负责支付模块", "支付模块现在由欧阳雪负责"},
		{"端口是 8080", "端口由 8080 改为 8081"},
		{"Never push directly to main", "Pushing directly to main is allowed for release managers"},
		{"Indentation is tabs", "Indentation is four spaces, not tabs"},
		{"We deploy with Jenkins", "Jenkins is removed"},
	} {
		t.Run(p[0]+" "+p[1], func(t *testing.T) {
			if v := truth.Compare(p[0], p[1]); v != truth.Update {
				t.Errorf("%v by the rules", v)
			}
		})
	}
}

// What fills another slot, or that of another thing, replaces nothing; nor does what is done each
// time, may be done or is preferred to something, which is no change; what was deleted, switched
// off or left is what held before.
// BM-TRU-02, BM-TRU-03.
func TestSlotsAndChangesInASmallMemory(t *testing.T) {
	t.Parallel()
	sense := newSense(t)
	var have tally
	for _, m := range saves(t, among(pairsOf(t, "testdata/slots.txt"), factsOf(t, "testdata/beside.txt", 0)[:6])) {
		list := truth.Among(m.text, m.rivals, m.many, sense)
		have.add(m, list)
		for i, j := range list {
			if (j.Verdict == truth.Update) != (i == m.of) {
				t.Logf("%v, %.2f: %q after %q", j.Verdict, j.Sure, m.text, m.rivals[i].Text)
			}
		}
	}
	t.Log(have)
	if want := (tally{replaced: 22, kept: 43}); have.replaced < want.replaced || have.kept < want.kept || have.silent > want.silent {
		t.Errorf("want %v, or better", want)
	}
}
