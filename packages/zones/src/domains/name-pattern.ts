import { parsePattern, type PatternNode, PatternSyntaxError } from './pattern-syntax.js';

/** Maximum number of states in a pattern. A name has at most 255 characters, so a match takes at most 255,000 steps. */
export const MAX_STATES = 1_000;
/** Maximum number of parts. Parts without a state, such as `()`, also take time when they are repeated. */
const MAX_PARTS = 10 * MAX_STATES;

/** State of the automaton. */
type State =
  | { readonly on: 'character'; readonly codes: ReadonlySet<number> }
  | { readonly on: 'start' | 'end' | 'match' }
  /** Continues at each of these states. */
  | { readonly on: 'jump'; readonly to: readonly number[] };

/**
 * Pattern that may match anywhere in a name. All alternatives are followed at once (Thompson's construction) without
 * backtracking, so the time is at most the length of the name times the number of states.
 */
export class NamePattern {
  readonly #states: readonly State[];

  private constructor(states: readonly State[]) {
    this.#states = states;
  }

  /** @throws PatternSyntaxError */
  static compile(text: string): NamePattern {
    const compiler = new Compiler();
    compiler.add(parsePattern(text));
    return new NamePattern([...compiler.states, { on: 'match' }]);
  }

  /** Number of states, which is the cost of a match. */
  get stateCount(): number {
    return this.#states.length;
  }

  isIn(name: string): boolean {
    let current = new Set<number>();
    for (let at = 0; at <= name.length; at += 1) {
      const place = { isStart: at === 0, isEnd: at === name.length };
      const reached = this.#follow([...current, 0], place);
      if (reached === undefined) return true;
      const code = name.charCodeAt(at);
      current = new Set();
      for (const index of reached) {
        const state = this.#states[index];
        if (state?.on === 'character' && state.codes.has(code)) current.add(index + 1);
      }
    }
    return false;
  }

  /** Returns the states that are reachable without a character. Undefined if the pattern has matched. */
  #follow(from: readonly number[], place: Place): ReadonlySet<number> | undefined {
    const reached = new Set<number>();
    const open = [...from];
    for (let index = open.pop(); index !== undefined; index = open.pop()) {
      if (reached.has(index)) continue;
      reached.add(index);
      const state = this.#states[index];
      if (state?.on === 'match') return undefined;
      open.push(...nextOf(state, index, place));
    }
    return reached;
  }
}

/** Position in a name. */
interface Place {
  readonly isStart: boolean;
  readonly isEnd: boolean;
}

function nextOf(state: State | undefined, index: number, place: Place): readonly number[] {
  if (state?.on === 'jump') return state.to;
  const goesOn = (state?.on === 'start' && place.isStart) || (state?.on === 'end' && place.isEnd);
  return goesOn ? [index + 1] : [];
}

class Compiler {
  readonly states: State[] = [];
  #parts = 0;

  add(node: PatternNode): void {
    this.#parts += 1;
    if (this.states.length >= MAX_STATES || this.#parts > MAX_PARTS) {
      throw new PatternSyntaxError('repeats too much; use smaller numbers in {m,n}');
    }
    if (node.kind === 'character') this.states.push({ on: 'character', codes: node.codes });
    else if (node.kind === 'start' || node.kind === 'end') this.states.push({ on: node.kind });
    else if (node.kind === 'sequence') for (const part of node.parts) this.add(part);
    else if (node.kind === 'choice') this.#addChoice(node.parts);
    else this.#addRepeat(node);
  }

  #addChoice([first, ...others]: readonly PatternNode[]): void {
    if (first === undefined) return;
    if (others.length === 0) {
      this.add(first);
      return;
    }
    const fork = this.#reserve();
    this.add(first);
    const exit = this.#reserve();
    this.#jump(fork, [fork + 1, exit + 1]);
    this.#addChoice(others);
    this.#jump(exit, [this.states.length]);
  }

  #addRepeat({ part, least, most }: Extract<PatternNode, { kind: 'repeat' }>): void {
    for (let times = 0; times < least; times += 1) this.add(part);
    const forks: number[] = [];
    for (let times = least; times < (most ?? least + 1); times += 1) {
      forks.push(this.#reserve());
      this.add(part);
    }
    if (most === undefined) this.#jump(this.#reserve(), forks);
    for (const fork of forks) this.#jump(fork, [fork + 1, this.states.length]);
  }

  /** Reserves a jump whose targets are not known yet. */
  #reserve(): number {
    return this.states.push({ on: 'jump', to: [] }) - 1;
  }

  #jump(at: number, to: readonly number[]): void {
    this.states[at] = { on: 'jump', to };
  }
}
