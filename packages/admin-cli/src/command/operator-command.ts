import { commandsOf } from '@zonewright/terminal';

export const PROGRAM = 'zonewright-admin';

export const { command: operatorCommand, group: commandGroup } = commandsOf(PROGRAM);
