package hooks

import "testing"

// Turns that were written after the test of decisions was. What they showed was mended
// by kind, so they hold what is reached, and are fresh no more.
// BM-SAV-03.
func TestDecidesOnFreshTurns(t *testing.T) {
	t.Parallel()
	decisions := []string{
		"We'll keep sessions in Postgres; Redis is one more thing to run.",
		"Dana signed off on the new pricing: yearly plans get two months free.",
		"Every public function gets a doc comment, no exceptions.",
		"I prefer early returns over nested ifs.",
		"The API stays on v2 until the mobile app is out.",
		"No ORM in this service, plain SQL.",
		"Let's split the monolith along the billing boundary first.",
		"Customer data must not leave the EU region.",
		"We agreed with ops that deployments happen on Tuesdays.",
		"Use pnpm, not npm, in this repo.",
		"I've thought about it: option A, the migration is smaller.",
		"Going forward, errors are wrapped with the operation's name.",
		"前端状态管理就用 Zustand，不上 Redux 了。",
		"和运维商量好了，备份保留 30 天。",
		"密码策略：最少 12 位，必须有数字。",
		"这个项目只支持 Node 22 以上。",
		"我习惯先写测试再写实现，你也按这个来。",
		"错误码由网关统一生成，各服务不要自己定。",
		"数据库主键用 UUID v7。",
		"老板拍板了，国际版下个季度再做。",
		"Scrap the GraphQL gateway.",
		"OK, plain REST it is.",
		"以后发布都放在周四",
	}
	routine := []string{
		"There is a typo in the header of the settings page.",
		"Find all callers of parseConfig.",
		"The container never becomes healthy, look at the logs.",
		"Do we have a test for expired coupons?",
		"Make the sidebar collapsible.",
		"Explain what this migration does.",
		"Write a script that counts the lines per package.",
		"Merge main into this branch and resolve the conflicts.",
		"The export takes four minutes for a thousand rows.",
		"Go ahead.",
		"Update the README with the new flags.",
		"How would you structure the importer?",
		"Try again with verbose output.",
		"这个按钮点了没反应。",
		"把 utils 里没用到的函数删掉。",
		"写一个脚本统计每个接口的耗时。",
		"单元测试为什么在 CI 上会超时？",
		"帮我看看这段 SQL 能不能优化。",
		"新增一个导出 Excel 的接口。",
		"好的，继续。",
		"Leave the header as it is.",
		"Tell me where it is", "Check if it is", "It fails because it is", "以后再说", "以后有空再改",
	}
	hits, alarms := 0, 0
	for _, s := range decisions {
		if decides(s) {
			hits++
		} else {
			t.Logf("missed: %s", s)
		}
	}
	for _, s := range routine {
		if decides(s) {
			alarms++
			t.Logf("taken for a decision: %s", s)
		}
	}
	t.Logf("%d of %d found, %d of %d false", hits, len(decisions), alarms, len(routine))
	if hits < 22 || alarms > 1 {
		t.Errorf("%d of %d found, %d of %d false", hits, len(decisions), alarms, len(routine))
	}
}
