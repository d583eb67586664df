import { parseObject } from '../shared/json.ts';
import { formatTime, inLine } from './output.ts';
import { paint, type Style } from './screen-codes.ts';

/**
 * One line of the daemon's log as people read it: time, level, sentence, facts. What is not JSON is
 * shown as it is.
 */
export function formatLogLine(line: string): string {
  const entry = parse(line);
  if (!entry) return inLine(line);
  const { time, level, text, stack, ...facts } = entry;
  const shown = Object.entries(facts).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const head = `${typeof time === 'string' ? formatTime(time) : ''} ${paintLevel(String(level))}`;
  const calls = typeof stack === 'string' ? stack.split('\n').slice(1) : [];
  // A line of its own begins with a time: none of these does.
  const trace = calls.map((call) => `\n    ${inLine(call.trimStart())}`).join('');
  return `${head} ${inLine(String(text))} ${paint('dim', inLine(shown.join(' ')))}${paint('dim', trace)}`.trimEnd();
}

function parse(line: string): Readonly<Record<string, unknown>> | undefined {
  const entry = parseObject(line);
  return entry && 'text' in entry ? entry : undefined;
}

function paintLevel(level: string): string {
  const style: Style = level === 'error' ? 'red' : level === 'warn' ? 'yellow' : 'dim';
  return paint(style, level.padEnd(5));
}
