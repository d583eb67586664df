/**
 * Variables that never come from a working folder, trusted or not (rule 46): each of them decides
 * which program is executed, what a program loads or reads as its settings, or whom it talks to. A
 * person sees only names when asked; these names look harmless and are not. A launch goes on
 * without them and says so. Names are compared without regard to case, because some programs do.
 */
export function findForbidden(name: string): string | undefined {
  return forbidden.find(({ names }) => names.test(name))?.why;
}

/**
 * The providers' own credentials and internals, ours, the multiplexers', and the linker's. Nobody
 * may set these by `--env` or a profile of any kind (B13); a person sets them in the environment
 * that agents are launched from.
 */
export const reservedPrefixes = [
  'SIGNALBOX_',
  'TMUX',
  'HERDR_',
  'CLAUDE',
  'ANTHROPIC_',
  'CODEX_',
  'OPENAI_',
  'GEMINI_',
  'GOOGLE_',
  'QWEN_',
  'OPENCODE',
  'COPILOT_',
  'KIMI_',
  'LD_',
  'DYLD_',
];

interface Forbidden {
  readonly names: RegExp;
  readonly why: string;
}

/** Whole names, with spaces between them; `*` stands for anything. */
function named(why: string, ...lines: readonly string[]): Forbidden {
  const words = lines
    .join(' ')
    .split(' ')
    .map((name) => name.replaceAll('*', '.*'));
  return { names: new RegExp(`^(${words.join('|')})$`, 'i'), why };
}

const forbidden: readonly Forbidden[] = [
  named(
    'belongs to a CLI, a multiplexer, the linker or signalbox',
    ...reservedPrefixes.map((prefix) => `${prefix}*`),
  ),
  named('says where programs are found', 'PATH PATHEXT CDPATH FPATH COMSPEC SHELL'),
  named(
    'is read or run by a shell when it starts',
    'ENV BASH_* BASHOPTS SHELLOPTS ZDOTDIR ZSH* PROMPT_COMMAND PS[0-4] IFS INPUTRC HISTFILE',
    'FCEDIT KSH_* FISH_* DIRENV_*',
  ),
  named(
    'moves the home, settings or temporary files of every program',
    'HOME USERPROFILE APPDATA LOCALAPPDATA XDG_* TMP TEMP TMPDIR PWD OLDPWD USER LOGNAME',
  ),
  named(
    'loads code into programs of any kind',
    'GLIBC_TUNABLES GCONV_PATH LOCPATH NLSPATH GETCONF_DIR MALLOC_* LIBPATH SHLIB_PATH _RLD_*',
    'OPENSSL_* TERMINFO* TERMCAP GTK_* GIO_* GST_* QT_* KDE* DBUS_* DISPLAY WAYLAND_DISPLAY',
    'XAUTHORITY ASAN_* LLVM_*',
    'KRB5* SASL_(PATH|CONF_PATH) LDAP(CONF|RC) ODBC(INI|SYSINI|INSTINI) LIBMYSQL_* VK_(ICD|LAYER|DRIVER)*',
    'LIBGL_* __EGL_* OCL_* SDL_* ALSA_* LADSPA_*',
    'GDK_PIXBUF_* PANGO_* FONTCONFIG_* VALGRIND_*',
  ),
  named(
    'makes an interpreter load other code',
    // NODE_ENV, RUST_LOG and the like are set by projects with good reason.
    'NODE_(?!ENV$)* TS_NODE_* TSX_* ELECTRON_* BUN_* DENO_* COREPACK_* PYTHON* PYENV_*',
    'VIRTUAL_ENV CONDA_* PERL* RUBY* RBENV_* GEM_* BUNDLE_* JAVA_* _JAVA_* JDK_* JVM_*',
    'CLASSPATH LUA_* PHP* R_* JULIA_* ERL_* ELIXIR_* DOTNET_* CORECLR_* COMPLUS_* MONO_*',
    'GUILE_* OCAML* TCL* EMACS* VIM* EXINIT',
    'GVIM* NVIM_* IPYTHON* JUPYTER_* MPL* PYTEST_* AWK* GAWK_* TEX(INPUTS|MF)* LUAINPUTS',
  ),
  named(
    'changes what a package manager or version manager installs and runs',
    'NPM_* YARN_* PNPM_* PIP_* PIPX_* UV_* POETRY_* HOMEBREW_* NIX_* ASDF_* MISE_* NVM_*',
    'VOLTA_* SDKMAN_* GUIX_*',
    'APT_* DPKG_* DEBCONF_* BAZEL* CONAN_* VCPKG_* PRE_COMMIT_* HUSKY*',
  ),
  named(
    'changes which tools a build runs',
    'CC CXX CPP LD AR AS NM LEX YACC (C|CXX|CPP|LD)FLAGS MAKE MAKE*FLAGS GNUMAKEFLAGS MFLAGS',
    'MAKEFILES CMAKE_* PKG_CONFIG* LIBRARY_PATH CPATH *_INCLUDE_PATH COMPILER_PATH GCC_*',
    'CCACHE_* DISTCC_* SCCACHE_* RUST(?!_LOG$|_BACKTRACE$)* CARGO*',
    'GO(FLAGS|ROOT|PATH|BIN|ENV|TOOLCHAIN|TOOLDIR|PROXY|SUMDB|NOSUM*|NOPROXY|PRIVATE|INSECURE|MODCACHE|CACHE*|DEBUG|TMPDIR|VCS|AUTH)',
    'CGO_* GHC* STACK_* CABAL_* MAVEN_* MVN_* GRADLE_* ANT_* SBT_* M2_HOME',
    'CONFIG_SITE CONFIG_SHELL MAKESHELL CROSS_COMPILE HOST(CC|CXX|LD|AR) *_FOR_(BUILD|TARGET)',
    'FC F77 F90 OBJC OBJCOPY OBJDUMP RANLIB STRIP WINDRES AUTO(CONF|MAKE|HEADER|M4TE|RECONF)',
    'ACLOCAL* M4 M4PATH AWK SED GREP LIBTOOL* SCONS* NINJA_* MESON_* DEVELOPER_DIR SDKROOT TOOLCHAINS',
  ),
  named(
    'names a program that another one runs',
    'GIT_* EDITOR VISUAL *_EDITOR PAGER *PAGER BROWSER *_BROWSER *_ASKPASS LESS* MORE',
    'MAN(PAGER|PATH|OPT|ROFFOPT) SSH_* RSYNC_* CVS* HG* SVN_* GH_* GLAB_* SUDO_* GNUPGHOME',
    'GPG_* *_PINENTRY* PINENTRY* DIFFPROG *TOOL RIPGREP_* FZF_* TAR_OPTIONS UNZIP GZIP XZ_*',
    'PSQL* PGSERVICEFILE PGSYSCONFDIR MYSQL_HOME SYSTEMD_* WRAPPER *_WRAPPER *_COMMAND',
    'RSH *_RSH *_SHELL *EDITOR OPENER *_OPENER TERMINAL TERMCMD BORG_* RCLONE_* RESTIC_* PDSH_*',
    'AUTOSSH_* P4* BZR_* BRZ_* JJ_* DARCS_* MAILCAPS MAILRC LYNX_* W3M_* MAGICK_* GS_(LIB|OPTIONS)',
    'GROFF_*',
  ),
  named(
    'names settings that can hold commands to run',
    'AWS_* AZURE_* CLOUDSDK_* BOTO_* KUBE* HELM_* DOCKER_* BUILDKIT_* PODMAN_* TF_* ANSIBLE_*',
    'VAULT_* CURL_* WGET* NETRC TERRAFORM_* SOPS_* PULUMI_*',
    'TERRAGRUNT_* TG_TF_PATH PACKER_* VAGRANT_* CONTAINER_HOST CONTAINERS_* BUILDX_* BUILDAH_* BAT_*',
    'STARSHIP_* SCREENRC SYSSCREENRC ZELLIJ_* ACKRC DOTENV_*',
  ),
  named(
    'says whom a program talks to, and whom it believes',
    '*_PROXY SSL_* SSLKEYLOGFILE REQUESTS_CA_BUNDLE *_CA_BUNDLE *_CA_CERTS HOSTALIASES',
    'LOCALDOMAIN RES_OPTIONS RESOLV_* MCP_* OTEL_* VERTEX_* MOONSHOT_* DASHSCOPE_* OPENROUTER_*',
    'MISTRAL_* GROQ_* XAI_* DEEPSEEK_* OLLAMA_* LITELLM_* GITHUB_* GITLAB_* HF_*',
  ),
  named('loosens what a CLI asks a person', 'IS_SANDBOX IS_DEMO *SANDBOX* SEATBELT_* AI_AGENT'),
];
