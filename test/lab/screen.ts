/** What a terminal shows at one moment. */
export interface Screen {
  readonly columns: number;
  readonly rows: number;
  /**
   * Lines without colours, without blanks at their ends, joined by newlines: exactly `rows` of
   * them.
   */
  readonly text: string;
  /** The same with escape sequences: a dim placeholder and a typed draft differ only there. */
  readonly styled: string;
  readonly title: string;
  readonly cursor: { readonly x: number; readonly y: number; readonly isVisible: boolean };
  readonly isAlternate: boolean;
  /** Set once the program has ended. */
  readonly exit?: { readonly code: number | undefined; readonly signal: string | undefined };
}

/** One command list, so that all of it is of the same moment. */
export function captureCommands(target: string): readonly string[] {
  const facts = formats.join(' ');
  return [
    ...['display-message', '-p', '-t', target, facts, ';'],
    ...['display-message', '-p', '-t', target, '#{pane_title}', ';'],
    ...['capture-pane', '-p', '-t', target, ';'],
    ...['capture-pane', '-p', '-e', '-t', target],
  ];
}

export function parseCapture(output: string): Screen {
  const [facts = '', title = '', ...lines] = output.split('\n');
  const [columns, rows, x, y, visible, alternate, dead, code = '', signal = ''] = facts.split(' ');
  const height = Number(rows);
  const isDead = dead === '1';
  return {
    columns: Number(columns),
    rows: height,
    text: lines.slice(0, height).join('\n'),
    styled: lines.slice(height, 2 * height).join('\n'),
    title,
    cursor: { x: Number(x), y: Number(y), isVisible: visible === '1' },
    isAlternate: alternate === '1',
    ...(isDead ? { exit: { code: numberOf(code), signal: signal || undefined } } : {}),
  };
}

const formats = [
  '#{pane_width}',
  '#{pane_height}',
  '#{cursor_x}',
  '#{cursor_y}',
  '#{cursor_flag}',
  '#{alternate_on}',
  '#{pane_dead}',
  '#{pane_dead_status}',
  '#{pane_dead_signal}',
];

function numberOf(text: string): number | undefined {
  return text === '' ? undefined : Number(text);
}
