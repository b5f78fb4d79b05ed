import { globSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root } from './run.ts';

const PRODUCT = ['apps/server/src/**/*.ts', 'packages/engine/src/**/*.ts'];
/** Tests, and what they are made of. */
const NOT_PRODUCT = /\.test\.ts$|\/testing\/|\.contract\.ts$/u;
/** Where the calls of the client are declared. */
const DECLARED = /packages\/m365\/src\/[a-z]+\/[a-z-]+-api\.ts$/u;

function createProgram(): { readonly program: ts.Program; readonly files: ReadonlySet<string> } {
  const files = PRODUCT.flatMap((pattern) => globSync(pattern, { cwd: root }))
    .filter((file) => !NOT_PRODUCT.test(file))
    .map((file) => join(root, file));
  const settings: unknown = ts.readConfigFile(join(root, 'tsconfig.json'), (file) => ts.sys.readFile(file)).config;
  const { options } = ts.parseJsonConfigFileContent(settings, ts.sys, root);
  return { program: ts.createProgram(files, options), files: new Set(files) };
}

/** `MailCalls.messages`, when a symbol is declared as a call of the client. */
function callOf(symbol: ts.Symbol | undefined): string | undefined {
  const declaration = symbol?.declarations?.find((one) => DECLARED.test(one.getSourceFile().fileName));
  const holder = declaration?.parent;
  return symbol && holder && ts.isInterfaceDeclaration(holder) ? `${holder.name.text}.${symbol.name}` : undefined;
}

function namedIn(node: ts.Node, checker: ts.TypeChecker): string | undefined {
  if (ts.isPropertyAccessExpression(node)) return callOf(checker.getSymbolAtLocation(node.name));
  if (!ts.isBindingElement(node)) return undefined;
  const name = node.propertyName ?? node.name;
  return ts.isIdentifier(name) ? callOf(checker.getTypeAtLocation(node.parent).getProperty(name.text)) : undefined;
}

/** Every call of the client that the server or the engine makes, as the types say. */
export function productCalls(): ReadonlySet<string> {
  const { program, files } = createProgram();
  const checker = program.getTypeChecker();
  const found = new Set<string>();
  const visit = (node: ts.Node): void => {
    const call = namedIn(node, checker);
    if (call !== undefined) found.add(call);
    ts.forEachChild(node, visit);
  };
  for (const file of program.getSourceFiles()) if (files.has(file.fileName)) visit(file);
  return found;
}
