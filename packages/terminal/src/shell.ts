/** Files that a program provides for shells and manual readers, rendered from its commands. */

export { renderBashCompletion } from './shell/bashCompletion.ts';
export { type CommandNode, loadCommandTree } from './shell/commandTree.ts';
export { renderManPage } from './shell/manPage.ts';
export { renderZshCompletion } from './shell/zshCompletion.ts';
