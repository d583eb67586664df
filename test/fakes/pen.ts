import type { AgentStatus } from '../../src/agents/agent.ts';
import type { Composer } from '../../src/agents/status.ts';
import type { Pen, PenLook } from '../../src/delivery/recipient.ts';
import type { KeyObstacle, WriteOptions, Written } from '../../src/terminals/backend.ts';

/** A terminal with a composer, that a test disturbs at will. */
export class FakePen implements Pen {
  text = '';
  status: AgentStatus = 'idle';
  /** Overrules what the text says. */
  composer: Composer | undefined;
  obstacle: KeyObstacle | undefined;
  humanKeyAt: number | undefined;
  isGone = false;
  scenery = 'a screen';
  /** The program shows nothing of what is typed. */
  isDeaf = false;
  /** Enters that the program does not take. */
  swallows = 0;
  /**
   * The answers to writes to come; `written` when there is none left. An unknown one has its effect
   * first if it says so.
   */
  readonly answers: (Written | 'unknown-done')[] = [];
  readonly written: string[] = [];
  readonly submitted: string[] = [];
  /** Called at each look, before it is answered. */
  onLook: (count: number) => void = () => undefined;
  /** Called at each look, when it was made and has yet to arrive. */
  onAnswer: () => Promise<void> = async () => undefined;
  #looks = 0;

  async look(): Promise<PenLook | 'gone'> {
    this.onLook(++this.#looks);
    const seen = this.#see();
    await this.onAnswer();
    return seen;
  }

  async write(bytes: Buffer, { withEnter = false }: WriteOptions = {}): Promise<Written> {
    const answer = this.answers.shift() ?? 'written';
    if (answer !== 'written' && answer !== 'unknown-done') return answer;
    this.written.push(`${bytes.toString()}${withEnter ? '\r' : ''}`);
    this.#take(bytes.toString());
    if (withEnter) this.#take('\r');
    return answer === 'written' ? 'written' : 'unknown';
  }

  #see(): PenLook | 'gone' {
    if (this.isGone) return 'gone';
    return {
      status: this.status,
      composer: this.composer ?? (this.text === '' ? 'empty' : 'draft'),
      lines: [this.scenery, ...`> ${this.text}`.split('\n')],
      ...(this.obstacle === undefined ? {} : { obstacle: this.obstacle }),
      ...(this.humanKeyAt === undefined ? {} : { humanKeyAt: this.humanKeyAt }),
    };
  }

  #take(text: string): void {
    if (this.isDeaf) return;
    if (text !== '\r') this.text += text.slice(6, -6).replaceAll('\r', '\n');
    else if (this.swallows > 0) this.swallows--;
    else {
      this.submitted.push(this.text);
      this.text = '';
      this.status = 'processing';
    }
  }
}
