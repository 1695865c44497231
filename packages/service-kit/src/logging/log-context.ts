/** Members that each log line gets from what is being done at that moment; ids and numbers, no text of a caller. */
export type LogContext = () => Readonly<Record<string, string | number>> | undefined;
