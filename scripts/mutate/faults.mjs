// Lists the faults that can be put into a source: each is one small change in its behaviour, as a slip of the hand
// would cause.
import ts from 'typescript';

const { SyntaxKind: KIND } = ts;

const OPERATORS = new Map([
  [KIND.LessThanToken, ['<=']],
  [KIND.LessThanEqualsToken, ['<']],
  [KIND.GreaterThanToken, ['>=']],
  [KIND.GreaterThanEqualsToken, ['>']],
  [KIND.EqualsEqualsEqualsToken, ['!==']],
  [KIND.ExclamationEqualsEqualsToken, ['===']],
  [KIND.AmpersandAmpersandToken, ['||']],
  [KIND.BarBarToken, ['&&']],
  [KIND.PlusToken, ['-']],
  [KIND.MinusToken, ['+']],
  [KIND.AsteriskToken, ['/']],
  [KIND.SlashToken, ['*']],
  [KIND.PlusEqualsToken, ['-=']],
  [KIND.MinusEqualsToken, ['+=']],
]);
const METHODS = new Map([
  ['some', 'every'],
  ['every', 'some'],
  ['min', 'max'],
  ['max', 'min'],
  ['floor', 'ceil'],
]);
/** Calls that write log lines or metrics get no faults, because they implement no rule. */
const NO_RULE =
  /^(await )?(this\.)?#?(\w+\.)*(log|logger|metrics|console)\b|\.(inc|observe|unref|destroy)\(/;

/** @returns faults as `{ path, line, start, end, before, text }`; `text` replaces the characters from start to end */
export function listFaults(path, source) {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  const found = [];
  const add = (node, text, shown = node) => {
    const start = node.getStart(file);
    const { line } = file.getLineAndCharacterOfPosition(start);
    const before = shown.getText(file).replace(/\s+/g, ' ').slice(0, 100);
    found.push({ path, line: line + 1, start, end: node.getEnd(), before, text });
  };
  const visit = (node) => {
    // Types have no effect when the code runs, and a changed import would fail to load.
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isInterfaceDeclaration(node))
      return;
    if (ts.isTypeAliasDeclaration(node) || isNoRule(node, file)) return;
    visitExpression(node, add, file);
    visitStatement(node, add, file);
    ts.forEachChild(node, visit);
  };
  visit(file);
  // A source that does not compile would fail every test, so such faults are left out.
  return found.filter(({ start, end, text }) => {
    const faulty = source.slice(0, start) + text + source.slice(end);
    const { parseDiagnostics } = ts.createSourceFile(path, faulty, ts.ScriptTarget.Latest);
    return parseDiagnostics.length === 0;
  });
}

/** Returns whether the node only logs or measures; a condition that guards only such a statement counts, too. */
function isNoRule(node, file) {
  const said =
    ts.isIfStatement(node) && node.elseStatement === undefined ? node.thenStatement : node;
  return ts.isExpressionStatement(said) && NO_RULE.test(said.getText(file));
}

function visitExpression(node, add, file) {
  if (ts.isBinaryExpression(node)) {
    const isText = [node.left, node.right].some(
      (side) => ts.isStringLiteralLike(side) || ts.isTemplateExpression(side),
    );
    if (isText && node.operatorToken.kind === KIND.PlusToken) return;
    for (const text of OPERATORS.get(node.operatorToken.kind) ?? [])
      add(node.operatorToken, text, node);
    if (node.operatorToken.kind === KIND.QuestionQuestionToken && !ts.isThrowStatement(node.parent))
      add(node, `(${node.left.getText(file)})`);
  }
  if (ts.isConditionalExpression(node)) {
    add(node.condition, 'true', node);
    add(node.condition, 'false', node);
  }
  if (ts.isPrefixUnaryExpression(node) && node.operator === KIND.ExclamationToken)
    add(node, node.operand.getText(file), node.parent);
  if (node.kind === KIND.TrueKeyword && !ts.isLiteralTypeNode(node.parent))
    add(node, 'false', node.parent);
  if (node.kind === KIND.FalseKeyword && !ts.isLiteralTypeNode(node.parent))
    add(node, 'true', node.parent);
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    const { name, expression } = node.expression;
    const other = METHODS.get(name.text);
    if (other !== undefined) add(name, other, node);
    if (name.text === 'filter') add(node, `(${expression.getText(file)})`);
  }
}

function visitStatement(node, add, file) {
  if (ts.isIfStatement(node)) {
    add(node.expression, 'true');
    add(node.expression, 'false');
  }
  const isCall =
    ts.isExpressionStatement(node) &&
    /[(=]|\+\+|--|delete/.test(node.getText(file)) &&
    !/^super\b/.test(node.getText(file));
  if (isCall || ts.isThrowStatement(node)) add(node, ';');
  if (ts.isBreakStatement(node) || ts.isContinueStatement(node)) add(node, ';', node.parent.parent);
}
