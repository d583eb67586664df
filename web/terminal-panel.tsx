import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { OutputView } from '../src/protocol/terminals.ts';
import { reveal } from '../src/shared/reveal.ts';
import type { AgentPage } from '../src/views/agent-page.ts';
import { keyBytes, pastedText } from '../src/views/key-bytes.ts';
import { readScreen } from '../src/views/screen.ts';
import { tellClock } from '../src/views/tell-time.ts';
import { usePage } from './page.ts';
import { Told } from './parts/act.tsx';
import { useAsked } from './parts/use-asked.ts';
import { ScreenRow } from './screen-row.tsx';
import { closed, type Screen, TerminalLine, type TerminalState } from './terminal-line.ts';

/** The terminal of an agent as its backend shows it. To type there takes an explicit switch. */
export function TerminalPanel({ agent }: { readonly agent: AgentPage }): JSX.Element {
  const { api, isLocked } = usePage();
  const [state, setState] = useState<TerminalState>(closed);
  const line = useRef<TerminalLine | undefined>(undefined);
  useEffect(() => {
    const opened = new TerminalLine(api, agent.id, setState);
    line.current = opened;
    return () => opened.close();
  }, [api, agent.id]);
  const { screen, takenUntil, told, isOpen, isStill } = state;
  const isTaken = takenUntil !== undefined;
  return (
    <section class={`terminal ${isTaken ? 'taken' : ''}`} aria-label="Terminal">
      <div class="bar">
        <h2>Terminal</h2>
        <span class="faint">{screen ? `${screen.cols} × ${screen.rows}` : ''}</span>
        <span role="status" class="told">
          {isTaken
            ? `You type here until ${tellClock(takenUntil)}, and longer while you do. Ctrl-] gives the keyboard back.`
            : told}
        </span>
        <span class="space" />
        {agent.has.typing && isTaken && (
          <button type="button" class="button" onClick={() => line.current?.release()}>
            Stop typing
          </button>
        )}
        {agent.has.typing && !isTaken && !isStill && (
          <button
            type="button"
            class="button"
            aria-disabled={isLocked || !isOpen}
            onClick={() => !isLocked && line.current?.take()}
          >
            Type in this terminal
          </button>
        )}
      </div>
      {screen ? (
        <ScreenView screen={screen} line={isTaken ? line.current : undefined} />
      ) : isStill ? (
        <StillScreen agent={agent} />
      ) : (
        <p class="faint pad">{isOpen ? 'The screen is on its way.' : 'Connecting…'}</p>
      )}
    </section>
  );
}

/** One look, taken anew when its status changes, or when the person asks for it. */
function StillScreen({ agent }: { readonly agent: AgentPage }): JSX.Element {
  const [count, setCount] = useState(0);
  const path = `/api/agents/${agent.id}/output?mode=screen`;
  const moment = `${agent.status} ${agent.since} ${count}`;
  const { answer, fault, isBusy } = useAsked<OutputView>(path, moment);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has no wheel scrolls it by keys */}
      <section class="screen" tabIndex={0} aria-label="Screen">
        <pre class="still">{answer ? reveal(answer.text) : '…'}</pre>
      </section>
      <div class="bar">
        <button type="button" class="button" onClick={() => setCount(count + 1)}>
          {isBusy ? 'Looking…' : 'Look again'}
        </button>
        <code class="faint">signalbox attach {agent.fullName}</code>
        <Told told={fault} />
      </div>
    </>
  );
}

interface ScreenViewProps {
  readonly screen: Screen;
  /** While the person has the keyboard. */
  readonly line: TerminalLine | undefined;
}

/** At this size and below nobody reads: a wider screen scrolls. */
const font = { least: 8.5, most: 13, widthOfCell: 0.602 };

function ScreenView({ screen, line }: ScreenViewProps): JSX.Element {
  const { data, cols, cursor } = screen;
  const rows = useMemo(() => readScreen(data), [data]);
  const frame = useRef<HTMLElement>(null);
  const [size, setSize] = useState(font.most);
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return undefined;
    const measure = (): void => {
      const fitting = (element.clientWidth - 20) / (cols * font.widthOfCell);
      setSize(Math.max(font.least, Math.min(font.most, fitting)));
    };
    const watch = new ResizeObserver(measure);
    watch.observe(element);
    measure();
    return () => watch.disconnect();
  }, [cols]);
  const place = cursor && { left: `${cursor.x}ch`, top: `${cursor.y * 1.25}em` };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has no wheel scrolls it by keys
    <section class="screen" ref={frame} tabIndex={0} aria-label="Screen">
      <div class="screen-rows" style={{ fontSize: `${size}px`, minWidth: `${cols}ch` }}>
        {rows.map((pieces, i) => (
          // Rows of a screen have no other name.
          <ScreenRow key={i} pieces={pieces} />
        ))}
        {place && <span class="cursor" aria-hidden="true" style={place} />}
        {line && <Keyboard line={line} style={place ?? {}} />}
      </div>
    </section>
  );
}

interface KeyboardProps {
  readonly line: TerminalLine;
  readonly style: { readonly left?: string; readonly top?: string };
}

/**
 * Where the person's keys come in: an empty field at the cursor, so that an input method shows its
 * window there. Nothing else on this page makes keys.
 */
function Keyboard({ line, style }: KeyboardProps): JSX.Element {
  const ref = useRef<HTMLTextAreaElement>(null);
  useEffect(() => ref.current?.focus({ preventScroll: true }), []);
  const flush = (): void => {
    const { current } = ref;
    if (!current) return;
    line.keys(current.value.replaceAll('\n', '\r'));
    current.value = '';
  };
  const press = (event: KeyboardEvent): void => {
    // The page's own keys are not for it.
    event.stopPropagation();
    if (!event.isTrusted) return;
    if (event.ctrlKey && event.key === ']') {
      event.preventDefault();
      line.release();
      return;
    }
    // Copying and pasting are the browser's.
    if (event.ctrlKey && event.shiftKey) return;
    if (event.ctrlKey && event.key === 'v') return;
    const bytes = keyBytes(event);
    if (bytes === undefined) return;
    event.preventDefault();
    line.keys(bytes);
  };
  return (
    <textarea
      ref={ref}
      class="keyboard"
      aria-label="Keys for this terminal; Ctrl-] gives the keyboard back"
      autocomplete="off"
      autocapitalize="off"
      spellcheck={false}
      rows={1}
      style={style}
      onKeyDown={press}
      onInput={(event) => {
        if (!(event as unknown as InputEvent).isComposing) flush();
      }}
      onCompositionEnd={flush}
      onPaste={(event) => {
        event.preventDefault();
        line.keys(pastedText(event.clipboardData?.getData('text/plain') ?? ''));
      }}
      onDrop={(event) => event.preventDefault()}
    />
  );
}
