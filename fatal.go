package recourse

// ExitConfig is the status of a process that a restart cannot help: EX_CONFIG
// of sysexits.h.
const ExitConfig = 78
