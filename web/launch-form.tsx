import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { AgentView } from '../src/protocol/agents.ts';
import { usePage } from './page.ts';
import { Act } from './parts/act.tsx';
import { go } from './route.ts';

const fields = [
  ['provider', 'Provider or profile', 'claude'],
  ['name', 'Name', 'chosen by signalbox'],
  ['session', 'Session', 'that of the folder’s project'],
  ['cwd', 'Folder', '/home/me/shop'],
  ['message', 'First message', 'optional'],
] as const;

type Wish = Readonly<Record<(typeof fields)[number][0], string>>;

/**
 * Launches an agent with the environment that `signalbox dashboard` was run with. Where the daemon
 * has it no more, the page says so, with the command to run instead.
 */
export function LaunchForm({ onDone }: { readonly onDone: () => void }): JSX.Element {
  const { api } = usePage();
  const [wish, setWish] = useState<Wish>({
    ...{ provider: '', name: '', session: '', cwd: '', message: '' },
  });
  const given = Object.fromEntries(Object.entries(wish).filter(([, text]) => text !== ''));
  const isReady = wish.provider !== '' && wish.cwd.startsWith('/');
  return (
    <section class="part launch" aria-label="Launch an agent">
      <div class="fields">
        {fields.map(([field, label, hint]) => (
          <label key={field}>
            {label}
            <input
              value={wish[field]}
              placeholder={hint}
              spellcheck={false}
              onInput={(event) => setWish({ ...wish, [field]: event.currentTarget.value })}
            />
          </label>
        ))}
      </div>
      <div class="controls">
        <Act
          face="launch"
          tone="good"
          isOff={!isReady}
          onAct={async () => {
            const fixed = { notify: true, extraArgs: [], env: {}, extraEnv: {} };
            const { id } = await api.post<AgentView>('/api/agents', { ...fixed, ...given });
            onDone();
            go({ view: 'agent', agent: id });
            return undefined;
          }}
        >
          Launch
        </Act>
        <code class="faint">{commandOf(wish)}</code>
      </div>
    </section>
  );
}

/** The same on the command line. */
function commandOf({ provider, name, session, cwd, message }: Wish): string {
  const quote = (text: string): string =>
    /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
  const words = [
    ...['signalbox', 'launch', provider || 'claude'],
    ...(name === '' ? [] : ['--name', name]),
    ...(session === '' ? [] : ['--session', session]),
    ...(cwd === '' ? [] : ['--cwd', cwd]),
    ...(message === '' ? [] : [message]),
  ];
  return words.map(quote).join(' ');
}
