package reminder

import (
	"fmt"
	"testing"
)

// BW-REM-05: what is noted as a problem is open if it asks or says what is in the
// way; what somebody is up to, and that all is well, is not. Both languages.
func TestOpenProblems(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"CI has the wrong clock":                                       true,
		"the clock of CI is wrong":                                     true,
		"Which database do we use?":                                    true,
		"Should it be 401 or 403? I lean to 401.":                      true,
		"Unclear whether the header is required":                       true,
		"Not sure about the retention period":                          true,
		"Blocked by the missing API key":                               true,
		"Waiting for the review of PR 12":                              true,
		"tests fail on Windows":                                        true,
		"TestX fails: expected 3, have 4":                              true,
		"the linker cannot find libfoo":                                true,
		"No access to the staging cluster":                             true,
		"no public key in the test environment":                        true,
		"deadlock between the pool and the cache":                      true,
		"npm ci exits with ERESOLVE, peer dependency conflict":         true,
		"Implementing the parser, but the fixtures are missing":        true,
		"The parser works, but the printer crashes on empty input":     true,
		"It should work. It does not.":                                 true,
		"memory leak in the worker":                                    true,
		"needs a decision by the team":                                 true,
		"The build is broken since the merge":                          true,
		"测试环境没有公钥":                                                     true,
		"用哪个数据库？":                                                      true,
		"接口返回 500，原因不清楚":                                               true,
		"等待同事审核":                                                       true,
		"依赖冲突，npm 安装失败":                                                true,
		"需要确认是否保留旧接口":                                                  true,
		"正在实现解析器，但缺少样例数据":                                              true,
		"无法连接数据库":                                                      true,
		"权限不足":                                                         true,
		"":                                                             false,
		"none":                                                         false,
		"None so far.":                                                 false,
		"Writing the parser, tests next":                               false,
		"Implementing error handling for timeouts":                     false,
		"Next: add retries on failure, then tests":                     false,
		"About to refactor the token check":                            false,
		"I will handle the exception paths now":                        false,
		"Add a check for expired tokens":                               false,
		"The staging database rejects our migration user":              true,
		"ENOSPC while writing the index":                               true,
		"Writing the importer, tests fail on Windows":                  true,
		"Investigating why the build fails":                            true,
		"Failing on CI only":                                           true,
		"The vendor changed the contract. Updating the docs meanwhile": true,
		"Porting the tokenizer; unit tests come after that":            false,
		"Implementing error handling for failed logins":                false,
		"Documenting why requests can be blocked by the firewall":      false,
		"编译报错:找不到头文件":                                                  true,
		"正在等待审核":                                                       true,
		"正在写失败重试的逻辑":                                                   false,
		"nope":                                                         false,
		"把错误提示改成中文":                                                    false,
		"正在处理无法连接时的提示":                                                 false,
		"已解决:连接超时是代理配置的问题":                                             false,
		"No problems. Continue with the migration":                     false,
		"Nothing is in the way; next is the docs page":                 false,
		"No blockers, working through the list":                        false,
		"Everything is on track":                                       false,
		"Moving the validation into middleware":                        false,
		"The lock was missing, but it is fixed now":                    false,
		"reading https://example.com/a?b=c about tokens":               false,
		"Half of the handlers are done, the rest follows":              false,
		"All tests pass":                                               false,
		"Plan: split the module, keep the API as it is":                false,
		"没有问题，继续":                                                      false,
		"正在编写错误处理":                                                     false,
		"接下来处理异常分支和超时":                                                 false,
		"目前没有障碍，下一步写测试":                                                false,
		"实现登录失败的提示":                                                    false,
		"一切正常":                                                         false,
		"准备重构认证中间件":                                                    false,
		"进展顺利，先完成接口":                                                   false,
		"修复了超时的错误，继续写文档":                                               false,
		"```\npanic: the log of a run that is over\n```\nReading it.":  false,
	} {
		t.Run(fmt.Sprintf("%q", text), func(t *testing.T) {
			if got := Open(text); got != want {
				t.Errorf("%q: open %v, want %v", text, got, want)
			}
		})
	}
}

// BW-REM-04: a problem that is open is named with the first two prompts that meet it,
// and then with one of three.
func TestInsists(t *testing.T) {
	t.Parallel()
	said := ""
	for n := 1; n <= 11; n++ {
		if Insists(n) {
			said += "x"
		} else {
			said += "-"
		}
	}
	if said != "xx--x--x--x" {
		t.Error(said)
	}
}
