package recourse

import "syscall"

// Messages on files, which leave out the path: an argument is known to who sent
// it, and any other path is nobody's business.
const (
	noFile     = "A file or folder does not exist."
	fileExists = "A file or folder of this name already exists."
)

// errno judges n where it was met. Numbers that are not listed say too little
// of what went wrong. That something is busy proves only while a connection was
// made, or a program started, that nothing has been done.
func (t trail) errno(n syscall.Errno) (Error, bool) {
	v, ok := errnos[n]
	if !ok {
		v, ok = nativeErrnos[n]
	}
	if !ok && t.dial {
		v, ok = Error{Code: HostUnreachable}, true
	}
	if t.wire && !t.dial {
		switch {
		case n == syscall.EAGAIN: // the socket's own time is up
			return t.late(), true
		case v.Code == HostUnreachable: // until now, it could be reached
			v = Error{Code: ServiceUnavailable, Message: broken, lost: true}
		}
	}
	return t.adjust(v), ok
}

// errnos has the names that Linux, macOS and Windows share; syscall invents
// them for Windows. Those of [errors.ErrUnsupported] are not among them, as some
// systems have one number for two of these.
var errnos = map[syscall.Errno]Error{
	syscall.ECONNREFUSED:  {Code: ServiceUnavailable, Message: refused, lost: true},
	syscall.ECONNRESET:    {Code: ServiceUnavailable, Message: broken, lost: true},
	syscall.ECONNABORTED:  {Code: ServiceUnavailable, Message: broken, lost: true},
	syscall.EPIPE:         {Code: ServiceUnavailable, Message: broken, lost: true},
	syscall.ENOTCONN:      {Code: ServiceUnavailable, Message: broken, lost: true},
	syscall.ESHUTDOWN:     {Code: ServiceUnavailable, Message: broken, lost: true},
	syscall.ENETRESET:     {Code: ServiceUnavailable, Message: broken, lost: true},
	syscall.ETIMEDOUT:     {Code: Timeout, lost: true},
	syscall.EHOSTUNREACH:  {Code: HostUnreachable, Message: noRoute},
	syscall.ENETUNREACH:   {Code: HostUnreachable, Message: noRoute},
	syscall.EHOSTDOWN:     {Code: HostUnreachable, Message: noRoute},
	syscall.ENETDOWN:      {Code: HostUnreachable, Message: noRoute},
	syscall.EADDRNOTAVAIL: {Code: ResourceExhausted, Message: "The server has no free address or port left."},

	syscall.ENOENT:       {Code: NotFound, Message: noFile},
	syscall.EACCES:       {Code: PermissionDenied},
	syscall.EPERM:        {Code: PermissionDenied},
	syscall.EEXIST:       {Code: DuplicateEntry, Message: fileExists},
	syscall.EISDIR:       {Code: InvalidArgument, Message: "A file was expected, but the path is that of a folder.", Suggestion: "Name a file in the folder, and call again."},
	syscall.ENOTDIR:      {Code: InvalidArgument, Message: "A folder was expected, but part of the path is a file.", Suggestion: "Name a folder, and call again."},
	syscall.ENAMETOOLONG: {Code: InvalidArgument, Message: "A file name or path is too long.", Suggestion: "Choose a shorter name, and call again."},
	syscall.ELOOP:        {Code: InvalidArgument, Message: "Links in the path lead in a circle.", Suggestion: "Name the file by a path without these links, and call again."},
	syscall.EINVAL:       {Code: InvalidArgument},
	syscall.ENOTEMPTY:    {Code: PreconditionFailed, Message: "The folder is not empty.", Suggestion: "Empty the folder first, then call again."},
	syscall.EBUSY:        {Code: ResourceBusy},
	syscall.ETXTBSY:      {Code: ResourceBusy},
	syscall.EAGAIN:       {Code: ResourceBusy},
	syscall.EADDRINUSE:   {Code: ResourceBusy, Message: "The address is in use."},
	syscall.EROFS:        {Code: PolicyBlocked, Message: "The file system is read-only."},
	syscall.ENOSPC:       {Code: ResourceExhausted, Message: "The disk is full."},
	syscall.EDQUOT:       {Code: ResourceExhausted, Message: "The disk quota is used up."},
	syscall.EMFILE:       {Code: ResourceExhausted, Message: "Too many files are open."},
	syscall.ENFILE:       {Code: ResourceExhausted, Message: "Too many files are open."},
	syscall.ENOMEM:       {Code: ResourceExhausted, Message: "The server is out of memory."},
	syscall.ENOBUFS:      {Code: ResourceExhausted},
	syscall.E2BIG:        {Code: PayloadTooLarge, Message: "The arguments of a command are too long."},
	syscall.EFBIG:        {Code: PayloadTooLarge, Message: "The file is over the size limit."},
	syscall.EMSGSIZE:     {Code: PayloadTooLarge},
	syscall.ENOEXEC:      missingProgram,
	syscall.EXDEV:        {Code: NotSupported, Message: "Files can't be moved between file systems this way."},
	syscall.ECANCELED:    {Code: Cancelled},
}

const noRoute = "There is no route to the host."
