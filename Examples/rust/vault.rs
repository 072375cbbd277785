//! A note that only the owner can read, in Rust: what thumbturn.h declares, declared once more, and nothing between.
//!
//!     rustc --edition 2021 vault.rs -l thumbturn
//!     echo 'the key is under the third pot' | ./vault keep
//!     ./vault show

use std::ffi::{c_void, CStr, CString};
use std::fs::File;
use std::io::{self, Read, Write};
use std::mem::ManuallyDrop;
use std::os::raw::{c_char, c_double, c_int, c_uint};
use std::os::unix::io::FromRawFd;
use std::{process, ptr, slice};

/// thumbturn_asking: how the owner is asked.
#[repr(C)]
struct Asking {
    size: usize,
    reason: *const c_char,
    fallback_title: *const c_char,
    cancel_title: *const c_char,
    context: u64,
    permission: c_int,
    reuse_seconds: c_double,
}

const RULE_PRESENCE: c_int = 1;
const REPLACE: c_uint = 32;

extern "C" {
    fn thumbturn_open(label: *const c_char, connection: *mut *mut c_void) -> c_int;
    fn thumbturn_close(connection: *mut c_void);
    fn thumbturn_error_text(error: c_int) -> *const c_char;
    fn thumbturn_advice(connection: *const c_void) -> *const c_char;
    fn thumbturn_store(
        connection: *mut c_void, service: *const c_char, account: *const c_char, bytes: *const c_void, size: usize,
        label: *const c_char, rule: c_int, options: c_uint, asking: *const Asking,
    ) -> c_int;
    fn thumbturn_read(
        connection: *mut c_void, service: *const c_char, account: *const c_char, asking: *const Asking,
        secret: *mut *mut c_void,
    ) -> c_int;
    fn thumbturn_secret_new(size: usize, secret: *mut *mut c_void) -> c_int;
    fn thumbturn_secret_bytes(secret: *mut c_void) -> *mut c_void;
    fn thumbturn_secret_size(secret: *const c_void) -> usize;
    fn thumbturn_secret_free(secret: *mut c_void);
}

/// A text of the library's. It is static, or good until the next call, so it is copied.
fn text(place: *const c_char) -> String {
    // The library never gives NULL here.
    unsafe { CStr::from_ptr(place) }.to_string_lossy().into_owned()
}

/// Bytes that are locked in memory, and erased when they go.
struct Secret(*mut c_void);

impl Secret {
    fn new(size: usize) -> Result<Secret, String> {
        let mut secret = ptr::null_mut();
        match unsafe { thumbturn_secret_new(size, &mut secret) } {
            0 => Ok(Secret(secret)),
            error => Err(text(unsafe { thumbturn_error_text(error) })),
        }
    }

    fn bytes(&mut self) -> &mut [u8] {
        // As many bytes as it says are this secret's own, as long as it lives.
        unsafe { slice::from_raw_parts_mut(thumbturn_secret_bytes(self.0).cast(), thumbturn_secret_size(self.0)) }
    }
}

impl Drop for Secret {
    fn drop(&mut self) {
        unsafe { thumbturn_secret_free(self.0) }
    }
}

/// A connection to the device.
struct Device(*mut c_void);

impl Device {
    fn open(label: &CStr) -> Result<Device, String> {
        let mut connection = ptr::null_mut();
        match unsafe { thumbturn_open(label.as_ptr(), &mut connection) } {
            0 => Ok(Device(connection)),
            error => Err(text(unsafe { thumbturn_error_text(error) })),
        }
    }

    fn result(&self, error: c_int) -> Result<(), String> {
        if error == 0 {
            return Ok(());
        }
        // Both come from this connection, and are copied before its next call.
        unsafe { Err(format!("{}\n  {}", text(thumbturn_error_text(error)), text(thumbturn_advice(self.0)))) }
    }

    fn asking(reason: &CStr) -> Asking {
        Asking {
            size: std::mem::size_of::<Asking>(), reason: reason.as_ptr(), fallback_title: ptr::null(), cancel_title: ptr::null(),
            context: 0, permission: 0, reuse_seconds: 0.0,
        }
    }

    fn store(&self, service: &CStr, bytes: &[u8], reason: &CStr) -> Result<(), String> {
        let asking = Device::asking(reason);
        self.result(unsafe {
            thumbturn_store(
                self.0, service.as_ptr(), ptr::null(), bytes.as_ptr().cast(), bytes.len(), ptr::null(), RULE_PRESENCE, REPLACE,
                &asking,
            )
        })
    }

    fn read(&self, service: &CStr, reason: &CStr) -> Result<Secret, String> {
        let (asking, mut secret) = (Device::asking(reason), ptr::null_mut());
        self.result(unsafe { thumbturn_read(self.0, service.as_ptr(), ptr::null(), &asking, &mut secret) })?;
        Ok(Secret(secret))
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        unsafe { thumbturn_close(self.0) }
    }
}

fn name(text: &str) -> CString {
    CString::new(text).expect("a name without a zero byte")
}

fn run(word: &str) -> Result<(), String> {
    let device = Device::open(&name("org.example.vault"))?;
    if word == "keep" {
        let mut note = Secret::new(4096)?;
        // Without a buffer of Rust's, which nobody erases. It stays open.
        let mut input = ManuallyDrop::new(unsafe { File::from_raw_fd(0) });
        let mut size = 0;
        loop {
            let mut further = [0];
            let room = if size < 4096 { &mut note.bytes()[size..] } else { &mut further[..] };
            match input.read(room).map_err(|error| error.to_string())? {
                0 => break,
                _ if size == 4096 => return Err("The note is longer than 4,096 bytes.".into()),
                count => size += count,
            }
        }
        device.store(&name("note"), &note.bytes()[..size], &name("replace the note"))?;
        println!("kept");
    } else {
        let mut note = device.read(&name("note"), &name("show the note"))?;
        io::stdout().write_all(note.bytes()).map_err(|error| error.to_string())?;
    }
    Ok(())
}

fn main() {
    let word = std::env::args().nth(1).unwrap_or_default();
    if word != "keep" && word != "show" {
        eprintln!("say keep or show");
        process::exit(64);
    }
    if let Err(message) = run(&word) {
        eprintln!("{message}");
        process::exit(1);
    }
}
