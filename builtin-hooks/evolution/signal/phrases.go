package signal

// A row lists phrases that name a signal by themselves. needs means that the line must
// also show a failure in another way: the words alone occur in good news.
type row struct {
	key     set
	needs   bool
	phrases []string
}

var modulePhrases = []string{
	"cannot find module", "can't find module", "module not found", "no module named", "modulenotfounderror", "module_not_found", "err_module_not_found", "no required module provides package", "cannot find package", "can't resolve '", "unresolved import", "unresolved module", "failed to resolve import", "failed to resolve '", "could not resolve '", "could not resolve \"", "unable to resolve module", "cannot load such file", "can't locate", "can't find crate", "no such module", "could not find module", "there is no package called", "err_package_path_not_exported", "is not in std", "use of undeclared crate or module", "use of unresolved module", "no matching version found for module", "could not import", "unable to resolve path to module", "module parse failed: cannot find", "cannot resolve module", "package does not exist", "cannot find type definition file", "找不到模块", "没有名为", "缺少模块",
}

var table = [...]row{
	{timeout, false, []string{"timed out", "etimedout", "esockettimedout", "deadline exceeded", "timeouterror", "timeoutexception", "gateway timeout", "gateway time-out", "i/o timeout", "timeout exceeded", "timeout of", "timeout after", "timeout waiting", "timeout while", "handshake timeout", "lock wait timeout", "timeout expired", "read timeout", "connection timeout", "connect timeout", "request timeout", "timeout reached", "socket timeout", "sockettimeoutexception", "exceeded the timeout", "connecttimeout", "readtimeout", "sigterm: timeout", "连接超时", "请求超时", "执行超时", "等待超时", "读取超时", "操作超时", "已超时"}},
	{timeout, true, []string{"timeout", "超时"}},
	{oom, false, []string{"out of memory", "oomkilled", "oom-kill", "oom-killer", "cannot allocate memory", "can't allocate memory", "memory allocation of", "heap limit", "outofmemoryerror", "std::bad_alloc", "bad_alloc", "memoryerror", "enomem", "signal: killed", "memory exhausted", "unable to allocate", "java heap space", "gc overhead limit", "signal 9", "sigkill", "内存不足", "内存溢出", "无法分配内存"}},
	{oom, true, []string{"oom"}},
	{permission, false, []string{"permission denied", "eacces", "eperm", "operation not permitted", "access denied", "access is denied", "accessdenied", "accessdeniedexception", "permissionerror", "insufficient permissions", "insufficient permission", "must be root", "are you root", "requires superuser", "not authorized to perform", "unauthorizedaccessexception", "权限不够", "权限不足", "拒绝访问", "没有权限", "不允许的操作", "权限被拒绝"}},
	{permission, true, []string{"forbidden", "access to the resource is denied", "unauthorized", "permission", "denied", "not authorized", "authentication failed", "e403", "e401", "权限"}},
	{refused, false, []string{"econnrefused", "connection refused", "actively refused", "connectionrefusederror", "connection was refused", "connectexception", "couldn't connect to server", "could not connect to server", "can't connect to", "cannot connect to", "failed to connect to", "unable to connect to", "could not connect to", "connection attempt failed", "拒绝连接", "连接被拒绝", "无法连接到", "连接被拒"}},
	{portInUse, false, []string{"eaddrinuse", "address already in use", "addrinuse", "port is already allocated", "only one usage of each socket address", "端口已被占用", "地址已在使用", "端口被占用", "地址已被占用"}},
	{moduleGone, false, modulePhrases},
	{notFound, false, []string{"command not found", "no such file or directory", "enoent", "enotfound", "is not recognized as", "no such file", "filenotfounderror", "filenotfoundexception", "name or service not known", "could not resolve host", "couldn't find remote ref", "missing script", "未找到命令", "没有那个文件或目录", "不是内部或外部命令", "找不到文件", "系统找不到指定的", "no such host", "was not found", "could not be found", "were not found", "is not a git command", "nosuchfileexception"}},
	{notFound, true, []string{"not found", "does not exist", "doesn't exist", "cannot find", "can't find", "could not find", "couldn't find", "unable to find", "no such", "not in this registry", "couldn't resolve", "unable to locate", "no matching distribution", "no matching package", "unknown command", "no rule to make target", "did not match any", "not be found", "e404", "notfound", "找不到", "未找到", "不存在", "cannot be found"}},
	{build, true, []string{"undefined reference to", "ld returned", "aborting due to", "could not compile", "no rule to make target", "unresolved external symbol", "ld: symbol", "collect2:"}},
	{deploy, false, []string{"imagepullbackoff", "errimagepull", "crashloopbackoff", "exceeded its progress deadline"}},
	{test, true, []string{"测试失败", "用例失败"}},
}
