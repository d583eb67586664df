import type { Json } from '../wire/json.ts';
import { Usage, Words } from './words.ts';

export interface Command {
  readonly method: string;
  readonly params: Json;
  /** What a success prints: the whole answer, nothing at all, or the text that was read. */
  readonly prints: 'answer' | 'nothing' | 'text';
  /** An agent that must be ready for its prompt before the command is over. */
  readonly untilReady?: string;
}

type Build = (words: readonly string[]) => Command;

const fresh = ['--cwd', '--label', '--env'];
const focus = ['--focus', '--no-focus'];

export const commands: Readonly<Record<string, Build>> = {
  'api snapshot': () => answer('session.snapshot', {}),
  'workspace list': () => answer('workspace.list', {}),
  'workspace create': (words) =>
    answer('workspace.create', freshParams(new Words(words, fresh, focus))),
  'workspace get': (words) => answer('workspace.get', { workspace_id: id(words) }),
  'workspace focus': (words) => answer('workspace.focus', { workspace_id: id(words) }),
  'workspace close': (words) => answer('workspace.close', { workspace_id: id(words) }),
  'workspace rename': (words) =>
    answer('workspace.rename', {
      workspace_id: id(words),
      label: new Words(words).rest(1, 'LABEL'),
    }),
  'tab list': (words) => answer('tab.list', scope(new Words(words, ['--workspace']))),
  'tab create': (words) => {
    const parsed = new Words(words, ['--workspace', ...fresh], focus);
    return answer('tab.create', { ...scope(parsed), ...freshParams(parsed) });
  },
  'tab get': (words) => answer('tab.get', { tab_id: id(words) }),
  'tab focus': (words) => answer('tab.focus', { tab_id: id(words) }),
  'tab close': (words) => answer('tab.close', { tab_id: id(words) }),
  'tab rename': (words) =>
    answer('tab.rename', { tab_id: id(words), label: new Words(words).rest(1, 'LABEL') }),
  'pane list': (words) => answer('pane.list', scope(new Words(words, ['--workspace']))),
  'pane current': (words) => answer('pane.current', callerPane(words)),
  'pane get': (words) => answer('pane.get', { pane_id: id(words) }),
  'pane layout': (words) => answer('pane.layout', { pane_id: id(words) }),
  'pane process-info': (words) => answer('pane.process_info', { pane_id: id(words) }),
  'pane close': (words) => answer('pane.close', { pane_id: id(words) }),
  'pane rename': (words) => {
    const parsed = new Words(words, [], ['--clear']);
    const label = parsed.has('--clear') ? {} : { label: parsed.rest(1, 'LABEL') };
    return answer('pane.rename', { pane_id: parsed.at(0, 'PANE'), ...label });
  },
  'pane split': (words) => {
    const options = ['--pane', '--direction', '--ratio', '--cwd', '--env'];
    const parsed = new Words(words, options, ['--current', ...focus]);
    const current = parsed.has('--current') ? process.env['HERDR_PANE_ID'] : undefined;
    const target = parsed.get('--pane') ?? parsed.positional[0] ?? current;
    return answer('pane.split', {
      ...(target === undefined ? {} : { target_pane_id: target }),
      direction: parsed.need('--direction'),
      ...given('ratio', parsed.number('--ratio')),
      ...freshParams(parsed),
    });
  },
  'pane read': (words) => read('pane.read', 'pane_id', words),
  'pane send-text': (words) => {
    const parsed = new Words(words);
    const params = { pane_id: parsed.at(0, 'PANE'), text: parsed.rest(1, 'TEXT') };
    return { method: 'pane.send_text', params, prints: 'nothing' };
  },
  'pane send-keys': (words) => {
    const [pane_id, ...keys] = words;
    if (keys.length === 0) throw new Usage('missing KEY');
    return { method: 'pane.send_keys', params: { pane_id, keys }, prints: 'nothing' };
  },
  'pane run': (words) => {
    const [pane_id, ...command] = words;
    if (command.length === 0) throw new Usage('missing COMMAND');
    const params = { pane_id, text: command.join(' '), keys: ['enter'] };
    return { method: 'pane.send_input', params, prints: 'nothing' };
  },
  'pane wait-output': (words) => {
    const options = ['--match', '--regex', '--source', '--lines', '--timeout'];
    const parsed = new Words(words, options, ['--raw']);
    const regex = parsed.get('--regex');
    const match =
      regex === undefined
        ? { type: 'substring', value: parsed.need('--match') }
        : { type: 'regex', value: regex };
    return answer('pane.wait_for_output', {
      pane_id: parsed.at(0, 'PANE'),
      source: source(parsed),
      match,
      ...given('lines', parsed.number('--lines')),
      ...given('timeout_ms', parsed.number('--timeout')),
    });
  },
  'agent list': () => answer('agent.list', {}),
  'agent get': (words) => answer('agent.get', { target: id(words) }),
  'agent focus': (words) => answer('agent.focus', { target: id(words) }),
  'agent read': (words) => read('agent.read', 'target', words),
  'agent send-keys': (words) => {
    const [target, ...keys] = words;
    if (keys.length === 0) throw new Usage('missing KEY');
    return { method: 'agent.send_keys', params: { target, keys }, prints: 'nothing' };
  },
  'agent start': (words) => {
    const parsed = new Words(words, ['--kind', '--pane', '--timeout']);
    const [name = '', ...args] = parsed.positional;
    const params = {
      name,
      kind: parsed.need('--kind'),
      pane_id: parsed.need('--pane'),
      args,
      ...given('timeout_ms', parsed.number('--timeout')),
    };
    return { method: 'agent.start', params, prints: 'answer', untilReady: name };
  },
  'agent rename': (words) => {
    const parsed = new Words(words, [], ['--clear']);
    const name = parsed.has('--clear') ? {} : { name: parsed.at(1, 'NAME') };
    return answer('agent.rename', { target: parsed.at(0, 'TARGET'), ...name });
  },
  'agent wait': (words) => {
    const parsed = new Words(words, ['--until', '--timeout']);
    return answer('agent.wait', { target: parsed.at(0, 'TARGET'), ...until(parsed) });
  },
  'agent prompt': (words) => {
    const parsed = new Words(words, ['--until', '--timeout'], ['--wait']);
    return answer('agent.prompt', {
      target: parsed.at(0, 'TARGET'),
      text: parsed.rest(1, 'TEXT'),
      ...(parsed.has('--wait') ? { wait: until(parsed) } : {}),
    });
  },
};

function answer(method: string, params: Json): Command {
  return { method, params, prints: 'answer' };
}

function id(words: readonly string[]): string {
  return new Words(words).at(0, 'ID');
}

function given(name: string, value: unknown): Json {
  return value === undefined ? {} : { [name]: value };
}

function scope(words: Words): Json {
  return given('workspace_id', words.get('--workspace'));
}

function freshParams(words: Words): Json {
  const pairs = words.all('--env').map((pair) => {
    const at = pair.indexOf('=');
    if (at < 1) throw new Usage(`--env needs K=V, not ${pair}`);
    return [pair.slice(0, at), pair.slice(at + 1)];
  });
  return {
    ...given('cwd', words.get('--cwd')),
    ...given('label', words.get('--label')),
    ...(pairs.length > 0 ? { env: Object.fromEntries(pairs) } : {}),
    focus: words.has('--focus'),
  };
}

function callerPane(words: readonly string[]): Json {
  const parsed = new Words(words, ['--pane'], ['--current']);
  return given('caller_pane_id', parsed.get('--pane') ?? process.env['HERDR_PANE_ID']);
}

/** Underscores on the wire, hyphens on the command line. */
function source(words: Words): string {
  return (words.get('--source') ?? 'recent').replaceAll('-', '_');
}

function read(method: string, name: string, words: readonly string[]): Command {
  const parsed = new Words(words, ['--source', '--lines', '--format'], ['--ansi', '--raw']);
  const params = {
    [name]: parsed.at(0, 'ID'),
    source: source(parsed),
    ...given('lines', parsed.number('--lines')),
    format:
      parsed.has('--ansi') || parsed.has('--raw') ? 'ansi' : (parsed.get('--format') ?? 'text'),
  };
  return { method, params, prints: 'text' };
}

function until(words: Words): Json {
  const wanted = words.all('--until');
  return {
    ...(wanted.length > 0 ? { until: wanted } : {}),
    ...given('timeout_ms', words.number('--timeout')),
  };
}
