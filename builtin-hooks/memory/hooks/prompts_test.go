package hooks

import (
	"errors"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/lexicon"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/lexicon/words"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/search"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// What a team of a parcel service remembers: written, with the prompts below, after the
// bar of recall was set, which was not changed for them.
var parcels = []string{
	"a1 | Labels are printed as ZPL on the Zebra printers, PDF only for the web shop",
	"a2 | The tracking number is checked with a modulo 11 digit",
	"a3 | Courier phones sync their scans every 90 seconds, or at once when they reach a depot",
	"a4 | Addresses are normalised by the geocoder of OpenStreetMap; Google's is too expensive",
	"a5 | A parcel that nobody collects goes back after 7 days",
	"a6 | The depot in Graz has no night shift; nothing is sorted there between 22:00 and 5:00",
	"a7 | Weights are stored in grams, dimensions in millimetres",
	"a8 | The partner API of the post allows 10 requests a second and answers 429 beyond",
	"a9 | Customs forms CN22 are needed for everything that leaves the EU and is worth less than 300 euros",
	"a10 | Route planning runs on OR-Tools with a limit of 40 seconds per depot",
	"a11 | Text messages to recipients go out through Twilio, at most two for a parcel",
	"a12 | The barcode scanner library crashes with iOS 19; it is pinned to 4.2.1",
	"a13 | The billing run starts on the first of the month at 3:00 and must not overlap with the backup",
	"a14 | Lisa reviews everything that touches customs",
	"a15 | Signatures of recipients are deleted after 90 days because of privacy law",
	"a16 | The event store is append-only; corrections are new events",
	"a17 | The website uses Svelte; components are tested with Vitest",
	"a18 | The pickup slots are two hours wide and close 30 minutes before they begin",
	"a19 | Cash on delivery was switched off in 2025 after fraud in Linz",
	"a20 | The database of parcels is partitioned by week; partitions older than a year are archived",
	"b1 | 快递柜超时未取，超过 48 小时收费",
	"b2 | 面单模板由运营维护，改模板要提前一天通知",
	"b3 | 分拣机的接口只支持 XML，编码是 GBK",
	"b4 | 司机端必须支持离线扫码，联网后自动补传",
	"b5 | 运费按体积重和实重取大值计算",
	"b6 | 理赔超过五千元要财务复核",
	"b7 | 双十一期间冻结发布，从十一月一日到十五日",
	"b8 | 签收照片压缩后存在阿里云 OSS",
	"b9 | 手机号在日志里只保留后四位",
	"b10 | 站点编号是六位数字，前两位代表省份",
}

// Sixty prompts: of the first thirty each is about something that is remembered, the
// others about nothing.
var parcelPrompts = []string{
	"a1 | the Zebra printer in depot 4 prints empty labels, check the ZPL template",
	"a2 | write a validator for the tracking number",
	"a3 | why do scans of the courier phones arrive late?",
	"a4 | add a geocoder for addresses in Switzerland",
	"a5 | implement the return of a parcel that is not collected",
	"a6 | plan the sorting of the depot in Graz for tonight",
	"a7 | add the weight and the dimensions of a parcel to the label",
	"a8 | we get 429 from the partner API of the post",
	"a9 | generate the customs form for a shipment to Norway",
	"a10 | the route planning for Vienna takes too long",
	"a11 | send a text message to the recipient when the courier is near",
	"a12 | upgrade the barcode scanner library",
	"a13 | move the billing run to another time",
	"a14 a9 | open a pull request for the change in customs",
	"a15 | where do we keep the signatures of recipients, and how long?",
	"a16 | fix the wrong event in the event store",
	"a17 | write a test for the Svelte component of the pickup form",
	"a18 | let people change their pickup slot",
	"a19 | can we offer cash on delivery again?",
	"a20 | query all parcels of 2023 in the database",
	"b1 | 快递柜超时收费的逻辑写一下",
	"b2 | 修改面单模板，加一个二维码",
	"b3 | 对接分拣机的接口",
	"b4 | 司机端扫码没有网络时报错",
	"b5 | 运费计算的单元测试补一下",
	"b6 | 理赔流程加一个审批节点",
	"b7 | 双十一期间能不能发布这个补丁",
	"b8 | 签收照片上传失败了，查一下原因",
	"b9 | 日志里打印了完整的手机号",
	"b10 | 校验站点编号的格式",
	" | rename this method, the name is misleading",
	" | show me what changed since yesterday",
	" | the tests in the CI are red, have a look",
	" | why does TypeScript complain about this line?",
	" | extract the duplicated code into a helper",
	" | make the table sortable by every column",
	" | write a docstring for each public function in utils",
	" | add pagination to the list of users",
	" | explain the difference between a mutex and a semaphore",
	" | how can I undo the last commit without losing my work?",
	" | translate the error messages to French",
	" | the modal does not close when I press escape",
	" | format the whole project",
	" | create an interface for this class",
	" | convert this callback to async and await",
	" | set up a GitHub action that runs the linter",
	" | what is the complexity of this algorithm?",
	" | use a ternary here",
	" | the page flickers when it loads",
	" | go on with the next item of your plan",
	" | 这个变量名起得不好，换一个",
	" | 帮我写一个冒泡排序",
	" | 编译报错了，看看是什么问题",
	" | 给这个类加注释",
	" | 把 if else 改成 switch",
	" | 页面在手机上显示错位了",
	" | 为什么这里会空指针？",
	" | 生成一个随机密码的函数",
	" | 升级一下 eslint 的版本",
	" | 好的，就按你说的做",
}

// At least four of five memories that prompts are told are about them, also where half
// of the prompts deserve none.
// BM-RCL-09.
func TestRecallIsPreciseOverRoutinePrompts(t *testing.T) {
	t.Parallel()
	t.Run("a parcel service", func(t *testing.T) { precise(t, parcels, parcelPrompts, 12) })
	// In ski, blood and lifts half of the prompts have no word of the facts that help them.
	for set, least := range map[string]int{"frozen": 15, "wool": 15, "whales": 15, "buses": 15, "vets": 15, "ski": 11, "blood": 11, "lifts": 12} {
		t.Run(set, func(t *testing.T) {
			slowtest.Only(t, "as many facts and prompts again")
			rows := func(name string) (out [][]string) {
				for line := range strings.Lines(must.Read(t, filepath.Join("..", "search", "testdata", set, name))) {
					out = append(out, strings.SplitN(strings.TrimSpace(line), " | ", 3))
				}
				return out
			}
			var facts, prompts []string
			for _, f := range rows("facts.txt") {
				facts = append(facts, strings.Join(f, " | "))
			}
			for _, p := range rows("prompts.txt") {
				prompts = append(prompts, strings.TrimPrefix(p[2], "-")+" | "+p[1])
			}
			precise(t, facts, prompts, least)
		})
	}
}

// precise plays prompts, each "ids of what helps | prompt", against facts "id | text"; so
// many of them are helped at least.
func precise(t *testing.T, facts, prompts []string, least int) {
	s := newScene(t)
	must.Do(t, errors.Join(lexicon.Lay(s.world.Cache, words.Unpack), s.place().Make()))
	for i, line := range facts {
		id, content, _ := strings.Cut(line, " | ")
		f := memory.Fact{ID: id, Kind: "W", Content: content, Confidence: 0.9, Time: s.now.Add(-time.Duration(i+200) * time.Hour)}
		must.Do(t, s.place().KeepFact(f, ""))
	}
	if _, err := search.Folders("project", s.place(), s.world.Cache)[0].Keep(s.now, 0); err != nil {
		t.Fatal(err)
	}
	given, right, helped, quiet := 0, 0, 0, 0
	for i, line := range prompts {
		ids, prompt, _ := strings.Cut(line, " | ")
		wanted := strings.Fields(ids)
		a := s.event("memory-recall", "context", "prompt", string(protocol.Quote(prompt)), "session_id", string(protocol.Quote("s"+strconv.Itoa(i))))
		n, good := 0, 0
		for told := range strings.Lines(a.AdditionalContext) {
			if !strings.HasPrefix(told, "- [") {
				continue
			}
			n++
			if slices.ContainsFunc(wanted, func(id string) bool { return strings.Contains(told, ", "+id+")") }) {
				good++
			} else {
				t.Logf("%q is told %s", prompt, strings.TrimSpace(told))
			}
		}
		given, right = given+n, right+good
		if good > 0 {
			helped++
		}
		if len(wanted) == 0 && n == 0 {
			quiet++
		}
	}
	t.Logf("%d of %d lines are about their prompt; %d of 30 prompts are helped, %d of 30 left alone", right, given, helped, quiet)
	if right*5 < given*4 || helped < least {
		t.Errorf("%d of %d lines are about their prompt; %d of 30 prompts are helped, %d of 30 left alone", right, given, helped, quiet)
	}
}
