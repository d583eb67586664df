import { join } from 'node:path';

interface DeckGround {
  readonly home: string;
  /** Of its tmux server, the default one in this folder. */
  readonly tmux: string;
  readonly path: string;
}

/**
 * All by which agent-deck finds its state, its settings and its tmux server. It reads its profile
 * off CLAUDE_CONFIG_DIR unless it is told one.
 */
export function deckEnv({ home, tmux, path }: DeckGround): Readonly<Record<string, string>> {
  return {
    PATH: path,
    HOME: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_DATA_HOME: join(home, '.local', 'share'),
    XDG_STATE_HOME: join(home, '.local', 'state'),
    XDG_CACHE_HOME: join(home, '.cache'),
    TMUX_TMPDIR: tmux,
    AGENTDECK_PROFILE: 'default',
    LANG: 'C.UTF-8',
  };
}
