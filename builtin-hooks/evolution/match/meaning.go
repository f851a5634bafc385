package match

import "strings"

// meaning is what messages mean that say it in another language or by a code, in the words
// that most programs use. Those in Chinese are what the C library, shells, compilers and Git
// print in that locale.
var meaning = [...]struct{ said, means string }{
	{"econnrefused", "connection refused"}, {"econnreset", "connection reset by peer"}, {"etimedout", "connection timed out"}, {"enotfound", "could not resolve host"}, {"eai_again", "could not resolve host"},
	{"eaddrinuse", "address already in use"}, {"eacces", "permission denied"}, {"eperm", "operation not permitted"}, {"enoent", "no such file or directory"},
	{"emfile", "too many open files"}, {"eexist", "file exists"}, {"enotdir", "not a directory"}, {"eisdir", "is a directory"}, {"enomem", "cannot allocate memory"}, {"erofs", "read-only file system"}, {"ebusy", "device or resource busy"},
	{"没有那个文件或目录", "no such file or directory"}, {"找不到文件", "file not found"}, {"系统找不到指定的", "no such file or directory"}, {"权限不够", "permission denied"}, {"拒绝访问", "permission denied"}, {"权限被拒绝", "permission denied"},
	{"不允许的操作", "operation not permitted"}, {"未找到命令", "command not found"}, {"不是内部或外部命令", "command not found"}, {"找不到命令", "command not found"}, {"连接被拒绝", "connection refused"}, {"拒绝连接", "connection refused"},
	{"连接超时", "connection timed out"}, {"连接被对方重设", "connection reset by peer"}, {"地址已在使用", "address already in use"}, {"地址已被使用", "address already in use"}, {"设备上没有空间", "no space left on device"}, {"磁盘空间不足", "no space left on device"},
	{"无法解析主机", "could not resolve host"}, {"未知的名称或服务", "name or service not known"}, {"域名解析暂时失败", "temporary failure in name resolution"}, {"文件已存在", "file exists"}, {"不是目录", "not a directory"}, {"是一个目录", "is a directory"},
	{"打开的文件过多", "too many open files"}, {"参数列表过长", "argument list too long"}, {"只读文件系统", "read-only file system"}, {"设备或资源忙", "device or resource busy"}, {"无法分配内存", "cannot allocate memory"}, {"内存不足", "out of memory"},
	{"段错误", "segmentation fault"}, {"解释器错误", "bad interpreter"}, {"可执行文件格式错误", "exec format error"}, {"语法错误", "syntax error"}, {"未定义的引用", "undefined reference"}, {"未声明", "undeclared"}, {"未定义", "undefined"},
	{"没有规则可制作目标", "no rule to make target"}, {"缺少分隔符", "missing separator"}, {"未知的选项", "unknown option"}, {"无法识别的选项", "unrecognized option"}, {"无效选项", "invalid option"}, {"重复定义", "redefinition"},
	{"仓库所有权可疑", "detected dubious ownership in repository"}, {"不是 git 仓库", "not a git repository"}, {"合并冲突", "merge conflict"}, {"更新被拒绝", "updates were rejected"}, {"无法推送", "failed to push some refs"}, {"会被合并操作覆盖", "would be overwritten by merge"},
	{"无关的历史", "refusing to merge unrelated histories"}, {"认证失败", "authentication failed"}, {"身份验证失败", "authentication failed"}, {"找不到兼容的", "a compatible was not found"}, {"请求的 sdk 版本", "requested sdk version"}, {"无法定位软件包", "unable to locate package"},
	{"无法获得锁", "could not get lock"}, {"未满足的依赖关系", "unmet dependencies"}, {"找不到模块", "cannot find module"}, {"找不到符号", "cannot find symbol"}, {"程序包", "package"}, {"不存在", "does not exist"}, {"不兼容的类型", "incompatible types"},
	{"证书已过期", "certificate has expired"}, {"证书验证失败", "certificate verify failed"}, {"目标主机积极拒绝", "connection refused"}, {"找不到类型或命名空间名", "the type or namespace name could not be found"}, {"超时", "timed out"},
}

// meantBy is a text in the words that most programs use. A code stays where it stands.
func meantBy(text string) string {
	lower := strings.ToLower(text)
	for _, m := range meaning {
		if !strings.Contains(lower, m.said) {
			continue
		}
		if m.said[0] < 0x80 {
			text += " / " + m.means
			continue
		}
		text = strings.ReplaceAll(lower, m.said, " "+m.means+" ")
		lower = text
	}
	return text
}
