/** The name under which the scripted agent is launched once its description is in config.yaml. */
export const scriptedProvider = 'scripted';

/**
 * What config.yaml must say about the scripted agent, as JSON, which is YAML too. Its last five
 * filled rows tell everything: the footer says idle or busy, a dialog has a footer of its own, and
 * an error stands above the composer.
 */
export function writeScriptedProvider(
  command: readonly string[],
  { hasTools = false, settings = {} }: ScriptedWish = {},
): string {
  const description = {
    command,
    rows: 5,
    waiting: ['^ enter to confirm · esc to cancel$'],
    busy: ['^ esc to interrupt$'],
    error: ['^✗ API error: '],
    idle: ['^ (\\? for shortcuts|enter to send · ctrl-u to clear|ctrl-c again to exit)$'],
    // While it floods there is no footer, but a title.
    title: { busy: ['^⠂ '] },
    empty: { row: '^❯$', column: 2 },
    answer: { prompt: '^> ', block: '^● ', end: '^(─|  ⎿ )' },
    paste: 'message',
    ...(hasTools ? { tools: 'env', hooks: 'env' } : {}),
  };
  const providers = { [scriptedProvider]: description };
  return `${JSON.stringify({ ...settings, providers }, null, 2)}\n`;
}

interface ScriptedWish {
  /** It gets signalbox's tools, and reports its turns by hooks. */
  readonly hasTools?: boolean;
  /** More of config.yaml. */
  readonly settings?: Readonly<Record<string, number | string>>;
}
