export { CommandEnd, commandsOf, type Failure, runTree } from './command/command-tree.js';
export { EXIT } from './command/exit-codes.js';
export { InputError } from './command/input-error.js';
export { collect, parseCount } from './command/option-values.js';
export { askLine, readSecret } from './command/secret-input.js';
export type { Streams } from './command/streams.js';
export { Output } from './output/output.js';
export { Progress } from './output/progress.js';
export type { Column } from './output/table.js';
