package hooks

import "testing"

// What a team of a cold store remembers, and thirty prompts, of which the first fifteen name
// what one of them is about; written once the rule for Chinese prompts was fixed, and played once.
var (
	coldStore = []string{
		"c1 | 三号冷库的压缩机每周一停机除霜，凌晨两点到四点不能进货",
		"c2 | 温度探头的读数要减零点三度，厂家校准时就偏高",
		"c3 | 托盘标签用热敏纸，零下二十度以下改用碳带",
		"c4 | 叉车调度由李工负责，改路线前先问他",
		"c5 | 出库单必须两个人签字，系统里也是两级审批",
		"c6 | 疫苗批次单独存放在五号库，账目和食品分开",
		"c7 | 断电报警走电话，短信网关在山区收不到",
		"c8 | 盘点数据每晚十一点从手持终端同步",
		"c9 | 进货预约最多提前七天，节假日不收货",
		"c10 | 库位编码第一位是楼层，后三位是货架",
		"c11 | 报表服务器只能从内网访问，外网要先连堡垒机",
		"c12 | 月台门的传感器坏过三次，备用的在值班室",
		"c13 | 前端页面支持的最低分辨率是 1280",
		"c14 | 数据库每周日全量备份，备份存在异地机房",
		"c15 | 员工卡的权限每季度清理一次",
	}
	coldPrompts = []string{
		"c1 | 三号冷库什么时候能进货？", "c2 | 温度探头的读数显示不对", "c3 | 换一种托盘标签的打印模板", "c4 | 叉车调度加一条新路线",
		"c5 | 出库单的审批流程简化一下", "c6 | 疫苗批次的查询接口慢", "c7 | 断电报警没有响", "c8 | 盘点数据今天没同步过来",
		"c9 | 进货预约的日历加上春节", "c10 | 校验库位编码", "c11 | 报表服务器连不上", "c12 | 月台门一直显示打开",
		"c13 | 页面在低分辨率下错位", "c14 | 备份恢复演练怎么做", "c15 | 员工卡权限的清理脚本",
		" | 帮我看看这个报错", " | 把循环改成递归", " | 给函数补上注释", " | 写一个快速排序", " | 解释一下闭包",
		" | 提交之前先跑一遍测试", " | 变量名太长了，改短一点", " | 这段正则是什么意思", " | 按钮的颜色改成蓝色", " | 升级到最新版本的依赖",
		" | 加一个单元测试", " | 把英文文案翻译成中文", " | 日志级别调低一点", " | 合并这两个分支", " | 列出今天改过的文件",
	}
)

// Chinese prompts are short and their names not separated: what they name is recalled all the
// same, and no more that is not about them.
// BM-RCL-09.
func TestRecallIsPreciseOverChinesePrompts(t *testing.T) {
	t.Parallel()
	precise(t, coldStore, coldPrompts, 14)
}
