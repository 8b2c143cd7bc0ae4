declare module 'virtual:messages/*' {
  const messages: import('@krapao/ui/text/i18n.ts').Messages;
  export default messages;
}
declare module '*.module.css' {
  const classes: Record<string, string>;
  export default classes;
}
declare module '*.css';
