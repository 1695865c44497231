export {
  collect,
  CommandEnd,
  commandsOf,
  type Failure,
  parseCount,
  parseWords,
  runTree,
} from './command-tree.js';
export { EXIT, InputError, printable, type Streams } from './streams.js';
export { promptLine, readSecret } from './secret-input.js';
export { Output, Progress } from './output.js';
export type { Column } from './table.js';
