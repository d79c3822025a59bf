/**
 * Variables that change how programs find or load code, or that run a program by themselves. A definition may neither set
 * them nor take them over: the command a person confirms would no longer be the command that runs.
 */
const forbiddenNames = new Set([
  'PATH', 'PATHEXT', 'COMSPEC', 'IFS', 'ENV', 'SHELL', 'SHELLOPTS', 'BASHOPTS', 'BASH_ENV', 'PS4', 'CDPATH', 'GLOBIGNORE',
  'PROMPT_COMMAND', 'ZDOTDIR', 'FPATH', 'NODE_OPTIONS', 'NODE_PATH', 'NODE_REPL_EXTERNAL_MODULE', 'ELECTRON_RUN_AS_NODE',
  'PERL5OPT', 'PERL5LIB', 'PERL5DB', 'PERLLIB', 'RUBYOPT', 'RUBYLIB', 'JAVA_TOOL_OPTIONS', '_JAVA_OPTIONS',
  'JDK_JAVA_OPTIONS', 'CLASSPATH', 'LUA_INIT', 'LUA_PATH', 'LUA_CPATH', 'GCONV_PATH', 'LOCPATH', 'GLIBC_TUNABLES',
  'TCLLIBPATH', 'AWKPATH', 'PHPRC', 'PHP_INI_SCAN_DIR', 'DOTNET_STARTUP_HOOKS', 'COR_PROFILER', 'CORECLR_PROFILER',
  'RUSTC_WRAPPER', 'RUSTC_WORKSPACE_WRAPPER', 'MAKEFLAGS', 'GNUMAKEFLAGS', 'MAKEFILES', 'PAGER', 'LESSOPEN', 'LESSCLOSE',
  'SSH_ASKPASS', 'SUDO_ASKPASS', 'NPM_CONFIG_NODE_OPTIONS', 'NPM_CONFIG_SCRIPT_SHELL', 'NPM_CONFIG_GIT', 'OPENSSL_CONF',
  'OPENSSL_MODULES', 'OPENSSL_ENGINES',
]); // prettier-ignore

const forbiddenPrefixes = ['LD_', 'DYLD_', 'GIT_', 'PYTHON', 'BASH_FUNC_', 'LUA_INIT_', 'LUA_PATH_', 'CAPABILITY_'];

/** Whether a definition may not set or pass on the variable. Names are compared without regard to case, as Windows and npm do. */
export function isForbiddenVariable(name: string): boolean {
  const upper = name.toUpperCase();
  return forbiddenNames.has(upper) || forbiddenPrefixes.some((prefix) => upper.startsWith(prefix));
}
